import { define } from '../frame/command.ts';

export const STAGE = {
  show: define({
    summary: 'show the release and all values of a deployed stage, and the command that deploys it again',
    stage: 'deployed',
    json: 'stage version commit committedAt deployer deployedAt values(name value isGiven) command',
    example: 'stage show --stage prod',
    notes: `\
The time is that of the last change of the stack, by CloudFormation: a deployment that changes nothing leaves it. FROM is
\`default\` if no deployment states the value: it then follows the release.`,
  }),
};
