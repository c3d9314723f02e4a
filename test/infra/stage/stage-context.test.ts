import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { stageConfig } from '../../../infra/stage/stage-config.ts';
import { CONTEXT_NAMES, readStageContext, type StageContext } from '../../../infra/stage/stage-context.ts';
import { readStageFile, type StoredValues } from '../../../infra/stage/stage-file.ts';

describe('the context of a deployment', () => {
  it('has only names that the configuration reads', () => {
    const names = new Set<unknown>();
    const get = (values: StageContext, name: string): unknown => names.add(name) && Reflect.get(values, name);
    const context = { stage: 'prod', checkoutUrl: 'https://pay.example.com', alarmEmail: 'none' };
    stageConfig(new Proxy<StageContext>(context, { get }));
    expect(names).toStrictEqual(new Set(CONTEXT_NAMES));
  });

  const read = (values: StoredValues, stored: StoredValues = {}): unknown =>
    readStageContext(
      values,
      () => 'a-branch',
      () => stored,
    );

  it.each([
    ['alarmEMail', 'Did you mean alarmEmail?'],
    ['alarm-email', 'Did you mean alarmEmail?'],
    ['alarm_mail', 'Did you mean alarmEmail?'],
    ['STAGE', 'Did you mean stage?'],
    ['sage', 'Did you mean stage?'],
    ['checkoutURI', 'Did you mean checkoutUrl?'],
    ['requestPerSeconds', 'Did you mean requestsPerSecond?'],
    ['firewal', 'Did you mean firewall?'],
    ['rate', /^There is no context value "rate". Use one of stage, protected, checkoutUrl, .*\.$/],
    ['__proto__x', /Use one of/],
  ])('rejects the unknown name %s', (name, remedy) => {
    expect(() => read({ stage: 'main', [name]: '' })).toThrow(remedy);
  });

  it.each([
    ['@aws-cdk/core:permissionsBoundary', 'Pass -c permissionsBoundary=...'],
    ['@aws-cdk/core:bootstrapQualifier', 'Pass -c qualifier=...'],
  ])("rejects the CDK's %s, for which a stage has its own name", (name, remedy) => {
    expect(() => read({ stage: 'main', [name]: '{"name":"boundary"}' })).toThrow(remedy);
  });

  it('accepts the names of the CDK', () => {
    const names = [
      'aws:cdk:bundling-stacks',
      '@aws-cdk/core:checkSecretUsage',
      'availability-zones:account=1:region=x',
      'cli-telemetry',
      'acknowledged-issue-numbers',
    ];
    expect(read(Object.fromEntries(names.map((name) => [name, 'x'])))).toStrictEqual({ stage: 'a-branch' });
  });

  it('counts an empty value as not set, and reads a number and a boolean of cdk.json as text', () => {
    // As a text, `null` would be a source of payment events.
    const values = {
      stage: '',
      alarmEmail: '',
      paymentSource: null,
      requestsPerSecond: 5_000,
      firewall: true,
    };
    expect(read(values)).toStrictEqual({ stage: 'a-branch', requestsPerSecond: '5000', firewall: 'true' });
  });

  it('takes the values of the file of its stage, except those that the command line has', () => {
    const readFile = vi.fn<(stage: string) => StoredValues>(() => ({
      alarmEmail: 'ops@example.com',
      personalDataDays: 3_650,
      firewall: true,
      drop: ['domain=api.example.com'],
    }));
    const values = { personalDataDays: '90', alarmEmail: '' };
    expect(readStageContext(values, () => 'feature/x', readFile)).toStrictEqual({
      stage: 'feature/x',
      alarmEmail: 'ops@example.com',
      personalDataDays: '90',
      firewall: 'true',
      drop: '["domain=api.example.com"]',
    });
    expect(readFile.mock.calls).toStrictEqual([['feature/x']]);
  });

  it.each([
    [
      { alarmEMail: 'x' },
      'There is no context value "alarmEMail" in the file of the stage. Did you mean alarmEmail?',
    ],
    [
      { '@aws-cdk/core:x': true },
      /There is no context value "@aws-cdk\/core:x" in the file of the stage. Use one of/,
    ],
    [{ stage: 'prod' }, 'Pass stage with -c: the file of the stage cannot have it.'],
    [{ rollback: true }, 'Pass rollback with -c: the file of the stage cannot have it.'],
  ])('rejects a file with %j', (stored, words) => {
    expect(() => read({}, stored)).toThrow(words);
  });

  it('ignores the unknown names of the file in a roll-back, and those of the command line never', () => {
    const stored = { ofALaterRelease: 'x', firewall: false };
    expect(read({ rollback: 'true' }, stored)).toStrictEqual({
      stage: 'a-branch',
      rollback: 'true',
      firewall: 'false',
    });
    expect(() => read({ rollback: 'true', firewal: 'x' }, stored)).toThrow('Did you mean firewall?');
    expect(() => read({ rollback: 'false' }, stored)).toThrow('ofALaterRelease');
  });
});

describe('what a deployment may lose', () => {
  const dropOf = (drop: string): readonly string[] => stageConfig({ stage: 'x', drop }).deployment.drop;

  it('is one value, or a list', () => {
    expect(dropOf('tags=team=shop,a=b')).toStrictEqual(['tags=team=shop,a=b']);
    expect(dropOf('["domain=api.example.com","tags=a=b"]')).toStrictEqual([
      'domain=api.example.com',
      'tags=a=b',
    ]);
  });

  it.each(['personalDataDays', '["personalDataDays"]', '[1]', '[', '=1', 'personalDataDays='])(
    'has the value of the stage, not only its name: %s',
    (drop) => {
      expect(() => dropOf(drop)).toThrow(
        'The drop must be NAME=VALUE, with the value that the stage has now.',
      );
    },
  );
});

describe('the file of a stage', () => {
  const givenFile = (text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-stages-'));
    writeFileSync(join(folder, 'prod.json'), text);
    return folder;
  };

  it('has a JSON object. A stage without one has no values', () => {
    const folder = givenFile('{"personalDataDays": 90}');
    expect(readStageFile('prod', folder)).toStrictEqual({ personalDataDays: 90 });
    expect(readStageFile('main', folder)).toStrictEqual({});
  });

  it.each(['', '{', '[]', 'null', '"x"'])('is rejected in one sentence if it is %j', (text) => {
    expect(() => readStageFile('prod', givenFile(text))).toThrow('stages/prod.json must be a JSON object');
  });
});
