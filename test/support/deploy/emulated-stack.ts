import { decodeMethodSettings, changeFiles, type Synthesised } from './stage.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/**
 * Types of resources that MiniStack 1.5.33 does not know, or for which it has no hosted zone. It knows a firewall, but neither
 * its networks nor its association.
 */
const UNKNOWN_TYPE = /^AWS::(?:Budgets|Route53|WAFv2|XRay)::/;

const isKnown = ({ Type, Properties = {} }: Resource): boolean =>
  !UNKNOWN_TYPE.test(Type) && !(Type === 'AWS::CloudWatch::Alarm' && 'Metrics' in Properties);

/** Removes the resources that the emulator does not know. It does not know expressions of metrics either. */
export const keepKnown = ({ template: { Resources } }: Synthesised): void => {
  for (const [id, resource] of Object.entries(Resources))
    if (!isKnown(resource as Resource)) delete Resources[id];
};

/**
 * Takes the protection from the tables: MiniStack 1.5.33 replaces a table that gets it. AWS changes it in place. Published versions
 * of functions would keep the name of the first table.
 */
const leaveUnprotected = ({ template }: Synthesised): void => {
  for (const resource of Object.values(template.Resources) as Resource[]) {
    const replicas = (resource.Properties?.['Replicas'] ?? []) as { DeletionProtectionEnabled?: boolean }[];
    for (const replica of replicas) replica.DeletionProtectionEnabled = false;
  }
};

/** Changes `cdk.out` of this folder for the emulator. The argument is the name of the stack. */
if (import.meta.main) {
  const [, , stackName = ''] = process.argv;
  decodeMethodSettings(`cdk.out/${stackName}.template.json`);
  changeFiles('cdk.out', stackName, (synthesised) => {
    keepKnown(synthesised);
    leaveUnprotected(synthesised);
  });
}
