import { define } from '../frame/command.ts';
import { optional } from '../frame/parameter.ts';
import { HTTP_URL } from '../frame/value-types.ts';

export const ACCEPT = define({
  summary: 'run the acceptance suite against a stage',
  options: {
    baseUrl: optional(HTTP_URL, "the stage's address; default: the one that the stage reports"),
  },
  audits: 'keyIds',
  json: 'stage baseUrl accepted',
  example: 'accept --stage prod',
  notes:
    'The suite has its own products and test keys. Afterwards, the products stay, the keys are revoked and the carts expire. A week later, DynamoDB deletes the keys.',
});
