# Compares the values of a deployed stack, as CloudFormation describes it, with those of the template that would replace it.
# Prints each change. Fails if one of a stage that keeps data is a loss: a value that nobody states, or one that becomes less.
# Fails too if the stage runs a later commit than the template, which declares no roll-back, or if a deployment is running.

# Values with commas between their elements.
def isList: . == "firewallAllow" or . == "tags";

# A roll-back may lose these if its commit does not know them. Each other one may protect data or money.
def isHarmless: . as $name | ["canary", "dashboard", "docsUrl", "liveRequestsPerHour", "tags"] | index($name) != null;

def isNumber: test("^[0-9]+$");

def isLess:
  .is == "none"
  or (.was == "true" and .is == "false")
  or ((.was | isNumber) and (.is | isNumber) and (.is | tonumber) < (.was | tonumber))
  or ((.name | isList) and (.was | split(",")) - (.is | split(",")) != []);

# Protection only grows, and a roll-out is a matter of one deployment.
def isFree: .name == "rollout" or (.name == "protected" and .is == "true");

def isLoss($rollback):
  if .isDeclared or isFree then false
  elif .is == null then .wasStated and ($rollback and (.name | isHarmless) | not)
  else (.isStated | not) or isLess end;

# The artifact must not write a line of its own: GitHub reads commands from the output.
def text: "  \(.name)=\(.was) would become \(.is // "unknown to this commit" | gsub("[[:cntrl:]]"; "?"))";

def fail: "::error::\(.)\n" | halt_error(1);

def outputOf($name): map(select(.OutputKey == $name))[0].OutputValue;

# Null without git: then it is before every other time.
def committedAt: .committedAt | if . == "unknown" then null else . end;

def release: "the commit \(.commit) of \(.committedAt)" | gsub("[[:cntrl:]]"; "?");

(.Stacks[0].StackStatus // "") as $status
| (.Stacks[0].Outputs // []) as $outputs
| ($outputs | outputOf("Release") // "{}" | fromjson) as $running
| ($template[0].Outputs.Release.Value // "{}" | fromjson) as $next
| ($outputs | outputOf("StageValues")) as $before
| $template[0].Outputs.StageValues.Value as $planned
| if $before == null then "The stack \($stack) has no values to lose."
  elif $planned == null then "The artifact does not state its values, but \($stack) has some: its commit is too early." | fail
  else
    ($before | fromjson) as $old
    | ($planned | fromjson) as $new
    | ($new.default + $new.given) as $values
    | [$old.default + $old.given | to_entries[] | . as {key: $name, value: $was}
        | select($values[$name] != $was)
        | {
            name: $name,
            was: $was,
            is: $values[$name],
            wasStated: ($old.given | has($name)),
            isStated: ($new.given | has($name)),
            isDeclared: ($new.drop | index("\($name)=\($was)") != null)
          }
      ] as $changes
    | [$changes[] | select($old.keepsData and isLoss($new.isRollback))] as $losses
    # A declaration that stays in the file would permit the next loss of the same value.
    | ($new.drop - ($new.drop - [$values | to_entries[] | "\(.key)=\(.value)"])) as $kept
    # While a deployment runs, the outputs are those of the release before it.
    | if $old.keepsData and ($status | endswith("_IN_PROGRESS")) then
        "\($stack) has the status \($status). Wait until it is complete, and deploy again." | fail
      # By time, not by ancestry: an earlier checkout does not have the history of a later commit.
      elif $old.keepsData and ($new.isRollback | not) and ($next | committedAt) < ($running | committedAt) then
        "\($stack) runs \($running | release), which is later than \($next | release). "
        + "Deploy a later one. To return to this one, declare a roll-back: docs/upgrade.md, \"Roll back\"."
        | fail
      elif $losses == [] and $old.keepsData and $kept != [] then
        "The deployment states what it declares as lost. Remove it from \"drop\": \($kept | tojson)" | fail
      elif $losses == [] then "The deployment loses no value of \($stack).", ($changes[] | text)
      else
        "The deployment would lose values of \($stack):\n\([$losses[] | text] | join("\n"))\n"
        + "State what the stage keeps in stages/\($stack | ltrimstr("CartCheckout-")).json. To lose a value, state the new one, and declare the old one there:\n"
        + "  \"drop\": \([$losses[] | "\(.name)=\(.was)"] | tojson)"
        | fail
      end
  end
