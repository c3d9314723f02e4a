import { readFileSync } from 'node:fs';
import { slug } from 'github-slugger';
import { describe, expect, test } from 'vitest';
import { HTTP_FUNCTION_NAMES } from '../../functions/function-needs.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { ACCESS_LOG_FORMAT } from '../../infra/stack/gateway/access-log-format.ts';
import { withoutHash } from '../../infra/stage/stack-template.ts';
import { pascalCase } from '../../lib/core/letter-case.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import { describeFailure } from '../../lib/telemetry/failure.ts';
import { blocksOf } from '../support/documents/documented-commands.ts';
import { branchStage, fullStage, isResource, productionStage } from '../support/stack/template.ts';

const PAGE = readFileSync('docs/runbook.md', 'utf8');

interface Section {
  readonly name: string;
  readonly text: string;
}

/** The sections of alarms, which have the third level. */
const SECTIONS: readonly Section[] = PAGE.split(/^(?=#{2,3} )/m)
  .filter((text) => text.startsWith('### '))
  .map((text) => ({ name: text.slice(4, text.indexOf('\n')), text }));

const PARTS = ['Merchants notice', 'First look', 'Likely causes', 'Mend', 'Over when'];

const templates = [productionStage().template, branchStage().template, fullStage().template];

/** The alarms of all stages: their section by their logical id, and their description. */
const alarms = (): { readonly section: string; readonly description: string }[] =>
  templates.flatMap((template) =>
    Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, alarm]) => ({
      section: id.startsWith('Rollout') ? 'RolloutFailures' : withoutHash(id).replace(/^Alarms/, ''),
      description: (alarm as { Properties: { AlarmDescription: string } }).Properties.AlarmDescription,
    })),
  );

test('the runbook has one section for each alarm, and no other', () => {
  const names = SECTIONS.map(({ name }) => name);
  expect(new Set(names)).toStrictEqual(new Set(alarms().map(({ section }) => section)));
  expect(names).toHaveLength(new Set(names).size);
});

test('the description of an alarm says what merchants notice, and ends with the address of its section', () => {
  const headings = PAGE.matchAll(/^#+ (.*)$/gm);
  const anchors = [...headings].map(([, heading = '']) => slug(heading));
  for (const { section, description } of alarms()) {
    const [, effect, anchor] = /^(.+\.) Runbook: docs\/runbook\.md#(\S+)$/.exec(description) ?? [];
    expect({ effect, anchor }).toStrictEqual({ effect: expect.any(String), anchor: slug(section) });
    expect(anchors.filter((each) => each === anchor)).toHaveLength(1);
    // A limit of CloudWatch.
    expect(description.length).toBeLessThanOrEqual(1_024);
  }
});

test.each(SECTIONS)('$name has its five parts, and a query or a command to look first', ({ text }) => {
  const parts = [...text.matchAll(/^\*\*(.+?)\.\*\*\s+\S/gm)].map(([, part]) => part);
  expect(parts).toStrictEqual(PARTS);
  const firstLook = text.slice(text.indexOf('**First look.**'), text.indexOf('**Likely causes.**'));
  expect([...blocksOf(firstLook, 'sh'), ...blocksOf(firstLook, '')]).not.toStrictEqual([]);
});

describe('a query of the runbook', () => {
  const REQUEST_SOURCES = ['lib/http/request-log.ts', 'lib/http/request-metrics.ts'];

  /** The log groups of the functions that serve requests. */
  const REQUEST_GROUPS = HTTP_FUNCTION_NAMES.map((name) => `${pascalCase(name)}Logs`);

  /** The files that write the lines of a log group. */
  const SOURCES: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(REQUEST_GROUPS.map((group) => [group, REQUEST_SOURCES])),
    RecordPaymentLogs: [
      'lib/payments/report-payment-event.ts',
      'lib/payments/payment-event.ts',
      'lib/payments/record-payment-event.ts',
      'lib/queues/returned-messages.ts',
      'functions/record-payment/handler.ts',
    ],
    FanOutEventsLogs: ['lib/events/event-dead-letters.ts', 'lib/events/fan-out-records.ts'],
    RunTimersLogs: ['lib/timers/run-job.ts', 'lib/timers/postpone-failed.ts', 'lib/timers/report-run.ts'],
    DeliverWebhooksLogs: [
      'lib/deliveries/report-delivery.ts',
      'lib/deliveries/report-disabled.ts',
      'lib/queues/returned-messages.ts',
      'lib/deliveries/store-result.ts',
      'functions/deliver-webhooks/handler.ts',
    ],
    CanaryLogs: ['functions/canary/handler.ts'],
  };

  const CODES = Object.values(API_ERRORS).map(({ code }) => code);
  const LEVELS = ['WARN', 'ERROR'];
  const MODES = ['live', 'test'];

  /** `level` and `message` are in the lines of `lib/telemetry/logger.ts`. `type` is in those of Lambda. */
  const EVERYWHERE = ['@timestamp', '@message', 'level', 'message', 'type'];

  const CAUSE = Object.keys(describeFailure(Object.assign(new Error('failed'), { code: 'FAILED' }))).map(
    (name) => `cause.${name}`,
  );

  const WORDS_OF_LANGUAGE =
    /\b(?:filter|stats|fields|sort|limit|by|as|and|or|like|desc|count|pct|bin|ispresent)\b/g;

  /** Parses a query into its log groups, its fields, and the texts that it compares them with. */
  const parse = (query: string) => {
    const [comment = '', ...lines] = query.split('\n');
    const code = lines.join('\n');
    const texts = [...code.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
    const aliases = new Set<string | undefined>([...code.matchAll(/ as (\w+)/g)].map(([, alias]) => alias));
    const fields = code
      .replaceAll(/"[^"]*"|\/\^[^/]*\/|\b\d+m?\b/g, ' ')
      .replaceAll(WORDS_OF_LANGUAGE, ' ')
      .match(/@?[A-Za-z][\w.]*/g);
    return {
      groups: comment.replace(/^# /, '').split(', '),
      fields: (fields ?? []).filter((field) => !aliases.has(field)),
      texts,
    };
  };

  /** The fields that a source logs: the names in its calls of the logger and of metrics, and in the constants that these pass. */
  const loggedIn = (source: string): string[] => {
    const calls = [...source.matchAll(/(?:logger\.\w+\(|Metrics?\(|dimensions: )([^;]*);/g)].map(
      ([, call = '']) => call,
    );
    const passed = calls.flatMap((call) => [...call.matchAll(/(?:^|\.\.\.)(\w+)/g)]);
    const names = new Set(passed.map(([, name]) => name));
    const constants = [...source.matchAll(/const (\w+)\b([^;]*);/g)].flatMap(([, name, value = '']) =>
      names.has(name) ? [value] : [],
    );
    return [...calls, ...constants]
      .flatMap((object) => [...object.matchAll(/(?:[{,]\s*|^\s*)(\w+)(?=:|,|\s*\})/gm)])
      .map(([, name = '']) => name);
  };

  /** The log groups, fields and texts of a query that do not exist. */
  const unknownIn = (query: string): string[] => {
    const { groups, fields, texts } = parse(query);
    const isAccessLog = groups[0] === 'GatewayAccessLogs';
    const source = groups
      .flatMap((group) => SOURCES[group] ?? [])
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const known = new Set(
      isAccessLog
        ? Object.keys(JSON.parse(ACCESS_LOG_FORMAT) as object)
        : [...EVERYWHERE, ...CAUSE, ...loggedIn(source)],
    );
    const values = new Set([...CODES, ...LEVELS, ...MODES, ...Object.keys(OPERATIONS)]);
    return [
      ...groups.filter((group) => !isResource(group) || !(isAccessLog || group in SOURCES)),
      ...fields.filter((field) => !known.has(field)),
      ...texts.filter(
        (text) => !values.has(text) && !source.includes(`'${text}'`) && !source.includes(` ${text}:`),
      ),
    ];
  };

  test.each(blocksOf(PAGE, ''))('names log groups, fields and values that exist: %s', (query) => {
    expect(unknownIn(query)).toStrictEqual([]);
    expect(query).toMatch(/^# \w+(?:, \w+)*\n(?:filter|fields) \S/);
  });

  test('of several functions of the API searches all of them, and may leave out the sandbox', () => {
    const ofApi = blocksOf(PAGE, '')
      .map((query) => parse(query).groups.filter((group) => REQUEST_GROUPS.includes(group)))
      .filter((groups) => groups.length > 1);
    expect(ofApi.length).toBeGreaterThan(5);
    for (const groups of ofApi) {
      expect(new Set([...groups, 'SandboxCheckoutLogs'])).toStrictEqual(new Set(REQUEST_GROUPS));
    }
  });

  test('with a wrong name is found', () => {
    expect(unknownIn('# GoneLogs\nfilter status >= 500')).toContain('GoneLogs');
    expect(
      unknownIn('# GetCartLogs\nfilter gone = "failed" | stats count(*) as n by cause.gone'),
    ).toStrictEqual(['gone', 'cause.gone']);
    expect(unknownIn('# GetCartLogs\nfilter message = "gone"')).toStrictEqual(['gone']);
    // A word of the source, and the field of another group.
    expect(unknownIn('# GetCartLogs\nfilter response = 1 and outcome = "failed"')).toStrictEqual([
      'response',
      'outcome',
    ]);
    expect(unknownIn('# GatewayAccessLogs\nfilter code = 1')).toStrictEqual(['code']);
  });
});
