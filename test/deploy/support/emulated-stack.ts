import { decodeMethodSettings, changeFiles, type Synthesised } from './stage.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** Types of resources that MiniStack 1.5.33 does not know. It knows a firewall, but neither its networks nor its association. */
const UNKNOWN_TYPE = /^AWS::(?:XRay|Budgets|WAFv2)::/;

const isKnown = ({ Type, Properties = {} }: Resource): boolean =>
  !UNKNOWN_TYPE.test(Type) && !(Type === 'AWS::CloudWatch::Alarm' && 'Metrics' in Properties);

/** Removes the resources that the emulator does not know. It does not know expressions of metrics either. */
export const keepKnown = ({ template: { Resources } }: Synthesised): void => {
  for (const [id, resource] of Object.entries(Resources))
    if (!isKnown(resource as Resource)) delete Resources[id];
};

/** Changes `cdk.out` of this folder for the emulator. The argument is the name of the stack. */
if (import.meta.main) {
  const [, , stackName = ''] = process.argv;
  decodeMethodSettings(`cdk.out/${stackName}.template.json`);
  changeFiles('cdk.out', stackName, keepKnown);
}
