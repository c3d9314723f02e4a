import { describe, expect, it } from 'vitest';
import { PRODUCTION_CONTEXT } from '../../../infra/example-stages/contexts.ts';
import { stageConfig } from '../../../infra/stage/stage-config.ts';
import type { StageContext } from '../../../infra/stage/stage-context.ts';

const CERTIFICATE = 'arn:aws:acm:eu-west-1:111111111111:certificate/0a1b-2c3d';
const DOMAIN = { domain: 'api.example.com', certificateArn: CERTIFICATE };

const domainOf = (context: Partial<StageContext>, region?: string) =>
  stageConfig({ stage: 'main', ...context }, region).domain;

describe('the custom domain of a stage', () => {
  it('is none by default, and has its certificate and its hosted zone', () => {
    expect(domainOf({})).toBeUndefined();
    const hostedZoneId = 'Z0123456789ABC';
    expect(domainOf({ ...DOMAIN, hostedZoneId })).toStrictEqual({
      name: 'api.example.com',
      certificateArn: CERTIFICATE,
      hostedZoneId,
      hasDefaultEndpoint: true,
    });
  });

  it('disables the default endpoint in production, and a value of the context says otherwise', () => {
    const hasDefaultEndpoint = (context: Partial<StageContext>) =>
      domainOf({ ...DOMAIN, ...context })?.hasDefaultEndpoint;
    expect(hasDefaultEndpoint(PRODUCTION_CONTEXT)).toBe(false);
    expect(hasDefaultEndpoint({ ...PRODUCTION_CONTEXT, defaultEndpoint: 'true' })).toBe(true);
    expect(hasDefaultEndpoint({ defaultEndpoint: 'false' })).toBe(false);
  });

  it.each(['a.io', 'api.eu-1.example.com', '1.example.xn--p1ai', `${'a.'.repeat(99)}io`])(
    'accepts the host name %s',
    (domain) => {
      expect(domainOf({ ...DOMAIN, domain })?.name).toBe(domain);
    },
  );

  it.each([
    'localhost',
    'API.example.com',
    'https://api.example.com',
    'api.example.com/v1',
    'api.example.com:443',
    'api.example.com.',
    '*.example.com',
    'api_1.example.com',
    '-api.example.com',
    'api-.example.com',
    'api.example.com-',
    'api..example.com',
    '192.0.2.1',
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(99)}com`,
    'api.example.com ',
  ])('rejects what is no host name: %j', (domain) => {
    expect(() => domainOf({ ...DOMAIN, domain })).toThrow(
      'The domain must be a host name in lower case, such as api.example.com, with at most 200 characters.',
    );
  });

  it.each([
    'certificate/0a1b',
    'arn:aws:iam::111111111111:server-certificate/a',
    'arn:aws:acm:eu-west-1::certificate/a',
    'arn:aws:acm::111111111111:certificate/a',
    `${CERTIFICATE} `,
    ` ${CERTIFICATE}`,
  ])('rejects what is no ARN of a certificate: %j', (certificateArn) => {
    expect(() => domainOf({ ...DOMAIN, certificateArn })).toThrow(
      'The certificateArn must be the ARN of a certificate of ACM, such as arn:aws:acm:eu-west-1:123456789012:certificate/{id}.',
    );
  });

  it.each(['example.com', '/hostedzone/Z0123456789ABC', 'Z', 'AZ012', 'Z0123456789ABC '])(
    'rejects what is no id of a hosted zone: %j',
    (hostedZoneId) => {
      expect(() => domainOf({ ...DOMAIN, hostedZoneId })).toThrow(
        'The hostedZoneId must be the id of a hosted zone of Route 53, such as Z0123456789ABC.',
      );
    },
  );

  it('accepts certificates of other partitions', () => {
    const certificateArn = 'arn:aws-cn:acm:cn-north-1:111111111111:certificate/a';
    expect(domainOf({ ...DOMAIN, certificateArn }, 'cn-north-1')?.certificateArn).toBe(certificateArn);
  });

  it.each<[Partial<StageContext>, string]>([
    [
      { domain: 'api.example.com' },
      'The domain needs a certificateArn: a certificate in the region of the stage.',
    ],
    [
      { certificateArn: CERTIFICATE },
      'The certificateArn needs a domain: pass -c domain=api.example.com, or leave it out.',
    ],
    [
      { hostedZoneId: 'Z0123456789ABC' },
      'The hostedZoneId needs a domain: pass -c domain=api.example.com, or leave it out.',
    ],
    [
      { defaultEndpoint: 'false' },
      'The defaultEndpoint=false needs a domain: pass -c domain=api.example.com, or leave it out.',
    ],
    [{ defaultEndpoint: 'no' }, 'The defaultEndpoint must be true or false.'],
  ])('rejects half a domain in one sentence: %j', (context, sentence) => {
    expect(() => domainOf(context)).toThrow(sentence);
  });

  it('keeps the default endpoint of a stage without a domain', () => {
    expect(domainOf({ ...PRODUCTION_CONTEXT, defaultEndpoint: 'true' })).toBeUndefined();
    expect(domainOf(PRODUCTION_CONTEXT)).toBeUndefined();
  });

  it('rejects a certificate of another region, if the region of the deployment is known', () => {
    expect(() => domainOf(DOMAIN, 'us-east-1')).toThrow(
      'The certificateArn is of eu-west-1, but the stage is deployed to us-east-1: use a certificate of us-east-1, or set AWS_REGION.',
    );
    expect(domainOf(DOMAIN, 'eu-west-1')?.certificateArn).toBe(CERTIFICATE);
  });
});
