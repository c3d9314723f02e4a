#!/usr/bin/env bash
# Synthesises a stage, checks that it loses no value, and deploys it: `npm run deploy -- -c stage=NAME`. A roll-back takes this
# file of today. Set options of the deployment as variables, such as AWS_PROFILE=NAME or CDK_REQUIRE_APPROVAL=never.
set -euo pipefail

# The synthesis alone would get another option: with --profile, the stage would be checked and deployed in another account.
for argument in "$@"; do
  [[ "$argument" == -c || "$argument" == [!-]*=* ]] && continue
  echo "Pass -c NAME=VALUE only, not $argument. Set other options as variables, such as AWS_PROFILE=NAME." >&2
  exit 2
done

# Nothing of an earlier synthesis is deployed, whatever the flags are.
rm -rf cdk.out
node --import ./infra/check-node.js infra/synth.ts "$@"
bash .github/actions/keep-values/check.sh
exec cdk deploy --app cdk.out --no-notices
