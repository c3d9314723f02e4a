# Prints the path of each field or value that a JSON file of an assembly must not have.
#
# A shape describes a value: a text is a pattern of a scalar, an array has the shape of each element, and an object has the
# shapes of its fields by the patterns of their names. `null` fits every value: what the command line of the CDK shows, or what
# CloudFormation alone reads.

def whole($pattern): test("\\A(?:" + $pattern + ")\\z");

def misfits($shape; $path):
  if $shape == null then empty
  elif ($shape | type) == "object" and type == "object" then
    to_entries[] | . as {$key, $value}
    | [$shape | to_entries[] | select(.key as $name | $key | whole($name))] as $known
    | if $known == [] then $path + [$key] else $value | misfits($known[0].value; $path + [$key]) end
  elif ($shape | type) == "array" and type == "array" then
    to_entries[] | . as {$key, $value} | $value | misfits($shape[0]; $path + [$key])
  elif ($shape | type) == "string" and ([type] - ["string", "number", "boolean"] == []) and (tostring | whole($shape)) then empty
  else $path end;

"[0-9.]+" as $version
| "[0-9a-f]{64}" as $hash
| "-\\$\\{AWS::AccountId\\}-\\$\\{AWS::Region\\}" as $here
| ("arn:\\$\\{AWS::Partition\\}:iam::\\$\\{AWS::AccountId\\}:role/cdk-" + $qualifier + "-[a-z-]+-role" + $here) as $role
| ("cdk-" + $qualifier + "-assets" + $here) as $bucket
| {requiresBootstrapStackVersion: "\\d+", bootstrapStackVersionSsmParameter: ("/cdk-bootstrap/" + $qualifier + "/version")} as $bootstrap
| {
    "cdk.out": {version: $version},
    "manifest.json": {
      version: $version,
      minimumCliVersion: $version,
      artifacts: {
        "Tree": {type: "cdk:tree", properties: {file: "tree\\.json"}},
        "aws-cdk-lib/feature-flag-report": {type: "cdk:feature-flag-report", properties: null},
        ($stack + "\\.assets"): {type: "cdk:asset-manifest", properties: ($bootstrap + {file: ($stack + "\\.assets\\.json")})},
        ($stack): {
          type: "aws:cloudformation:stack",
          environment: "aws://unknown-account/unknown-region",
          properties: ($bootstrap + {
            templateFile: ($stack + "\\.template\\.json"),
            terminationProtection: "true|false",
            validateOnSynth: "true|false",
            tags: {".*": ".*"},
            assumeRoleArn: $role,
            cloudFormationExecutionRoleArn: $role,
            stackTemplateAssetObjectUrl: ("s3://" + $bucket + "/" + $hash + "\\.json"),
            additionalDependencies: [$stack + "\\.assets"],
            lookupRole: ($bootstrap + {arn: $role})
          }),
          dependencies: [$stack + "\\.assets"],
          additionalMetadataFile: ($stack + "\\.metadata\\.json"),
          displayName: $stack
        }
      }
    },
    ($stack + ".assets.json"): {
      version: $version,
      dockerImages: {},
      files: {
        ($hash): {
          displayName: ".*",
          source: {path: ("asset\\." + $hash + "|" + $stack + "\\.template\\.json"), packaging: "zip|file"},
          destinations: {
            "current_account-current_region-[0-9a-f]+": {
              bucketName: $bucket,
              objectKey: ($hash + "\\.(?:zip|json)"),
              assumeRoleArn: $role
            }
          }
        }
      }
    },
    ($stack + ".metadata.json"): {
      "/.*": [{type: "aws:cdk:(?:acknowledged-rules|creationStack|logicalId|stack-tags|templateFile)", data: null, trace: null}]
    },
    ($stack + ".template.json"): {
      Description: null,
      Outputs: null,
      Rules: null,
      Mappings: {Commit: {release: {commit: ".*"}}},
      Parameters: {"\\w+": {Type: "AWS::SSM::Parameter::Value<String>", Default: "/.*", Description: null}},
      Resources: {
        "\\w+": {
          Type: "AWS::(?:ApiGateway|Budgets|CloudWatch|CodeDeploy|DynamoDB|Events|IAM|Lambda|Logs|Route53|SNS|SQS|SSM|SecretsManager|WAFv2|XRay)::\\w+",
          Properties: null,
          Metadata: null,
          DependsOn: null,
          DeletionPolicy: "Delete|RetainExceptOnCreate",
          UpdateReplacePolicy: "Delete|Retain",
          UpdatePolicy: null
        }
      }
    },
    "performance-counters.json": {counters: {".*": "[0-9.]+"}},
    "tree.json": {version: "tree-[0-9.]+", tree: null},
    "validation-report.json": {version: $version, title: null, pluginReports: null}
  }[$file] as $shape
| if $shape == null then [] else misfits($shape; []) end,
  # A macro would make CloudFormation deploy another template than the one that a reviewer sees.
  (paths | select(last == "Fn::Transform"))
