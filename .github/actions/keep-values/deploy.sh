#!/usr/bin/env bash
# Synthesises a stage, checks that it loses no value, and deploys it: `npm run deploy -- -c stage=NAME`. A roll-back takes this
# file of today. Set options of the deployment as variables, such as AWS_PROFILE=NAME or CDK_REQUIRE_APPROVAL=never.
set -euo pipefail

reject() { echo "$1" >&2; exit 2; }

# Otherwise, the check reads another account or region than the deployment changes.
[[ -z "${CDK_PROFILE:-}${CDK_REGION:-}" ]] || reject 'Set AWS_PROFILE and AWS_REGION, not CDK_PROFILE and CDK_REGION.'
for argument in "$@"; do
  [[ "$argument" == -c || "$argument" == [!-]*=* ]] ||
    reject "Pass -c NAME=VALUE only, not $argument. Set other options as variables, such as AWS_PROFILE=NAME."
done

# Nothing of an earlier synthesis is deployed, whatever the flags are.
rm -rf cdk.out
node --import ./infra/check-node.js infra/synth.ts "$@"
bash .github/actions/keep-values/check.sh
exec cdk deploy --app cdk.out --no-notices
