#!/usr/bin/env bash
# Fails if the deployment of cdk.out would lose a value or a later commit of its stage, and does not declare it: see loss.jq.
set -euo pipefail

reject() { echo "::error::$1" >&2; exit 1; }

command -v aws jq > /dev/null || reject 'Install the AWS CLI and jq: the check of the deployment needs both.'
# Version 1 of the AWS CLI reads this variable alone.
[[ -z "${AWS_REGION:-}" ]] || export AWS_DEFAULT_REGION="$AWS_REGION"

stack=$(jq -r '.artifacts | to_entries[] | select(.value.type == "aws:cloudformation:stack").key' cdk.out/manifest.json)
failure=$(mktemp)
trap 'rm -f "$failure"' EXIT
if ! deployed=$(aws cloudformation describe-stacks --stack-name "$stack" --output json 2> "$failure"); then
  grep -qF "Stack with id $stack does not exist" "$failure" || reject "$(cat "$failure")"
  echo "The stack $stack does not exist yet: it has no value to lose."
  exit 0
fi
jq -r --slurpfile template "cdk.out/$stack.template.json" --arg stack "$stack" \
  -f "$(dirname "${BASH_SOURCE[0]}")/loss.jq" <<< "$deployed"
