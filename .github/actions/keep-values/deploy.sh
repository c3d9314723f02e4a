#!/usr/bin/env bash
# Synthesises a stage, checks that it loses no value, and deploys it: `npm run deploy -- -c stage=NAME`. A roll-back takes this
# file of today. Set options of the deployment as variables, such as CDK_REQUIRE_APPROVAL=never.
set -euo pipefail

# Nothing of an earlier synthesis is deployed, whatever the flags are.
rm -rf cdk.out
node --import ./infra/check-node.js infra/synth.ts "$@"
bash .github/actions/keep-values/check.sh
exec cdk deploy --app cdk.out --no-notices
