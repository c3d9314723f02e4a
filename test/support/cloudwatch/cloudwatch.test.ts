import { describe, expect, it } from 'vitest';
import { type AlarmState, evaluate, nextState } from './cloudwatch.ts';

/** `0`: a value within the threshold. `X`: one beyond it. `-`: none. The newest is on the right. */
const pointsOf = (text: string) =>
  text.split(' ').map((point) => (point === '-' ? undefined : point === 'X'));

/** The states by the treatment of missing data. `retained`: the alarm keeps its state. */
const TREATMENTS = ['missing', 'ignore', 'breaching', 'notBreaching'] as const;

const statesOf = (text: string, DatapointsToAlarm: number): (AlarmState | 'retained')[] =>
  TREATMENTS.map((TreatMissingData) => {
    const alarm = { EvaluationPeriods: 3, DatapointsToAlarm, TreatMissingData };
    const states = (['OK', 'ALARM'] as const).map((state) => nextState(pointsOf(text), alarm, state));
    return states[0] === states[1] ? states[0]! : 'retained';
  });

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
describe('an alarm of three periods has the state of the tables of AWS', () => {
  it.each([
    ['0 - X - X', ['OK', 'OK', 'OK', 'OK']],
    ['0 - - - -', ['OK', 'OK', 'OK', 'OK']],
    ['- - - - -', ['INSUFFICIENT_DATA', 'retained', 'ALARM', 'OK']],
    ['0 X X - X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['- - X - -', ['ALARM', 'retained', 'ALARM', 'OK']],
    ['- - - - X', ['retained', 'retained', 'ALARM', 'OK']],
    ['- - - X -', ['retained', 'retained', 'ALARM', 'OK']],
  ])('three of three: %s', (points, states) => {
    expect(statesOf(points, 3)).toStrictEqual(states);
  });

  it.each([
    ['0 - X - X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['0 0 X 0 X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['0 - X - -', ['OK', 'OK', 'ALARM', 'OK']],
    ['- - - - 0', ['OK', 'OK', 'ALARM', 'OK']],
    ['- - - X -', ['ALARM', 'retained', 'ALARM', 'OK']],
  ])('two of three: %s', (points, states) => {
    expect(statesOf(points, 2)).toStrictEqual(states);
  });
});

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
describe('metric math', () => {
  const none = undefined;
  const SERIES = {
    a: [30, 20, 0, 0],
    b: [20, none, 20, none],
    c: [1, 1, 0, 0, none],
    d: [30, none, 0, 0, 30],
  };

  it.each<[string, readonly (number | undefined)[]]>([
    ['a>b', [1, 1, 0, 0]],
    ['a>=30', [1, 0, 0, 0]],
    ['b>15', [1, none, 1, none]],
    ['a+2*b', [70, 20, 40, 0]],
    ['(a+b)*2', [100, 40, 40, 0]],
    ['a/b', [1.5, none, 0, none]],
    ['FILL(b,7)', [20, 7, 20, 7]],
    ['DIFF(a)', [none, -10, -20, 0]],
    ['DIFF(b)', [none, none, 0, none]],
    ['IF(c,d,5)', [30, 0, 5, 5, none]],
    ['IF(c,5,d)', [5, 5, 0, 0, none]],
  ])('%s', (expression, values) => {
    expect(evaluate(expression, SERIES)).toStrictEqual(values);
  });

  it('fills no metric that has no value', () => {
    expect(evaluate('FILL(x,0)', { x: [none, none] })).toStrictEqual([none, none]);
    expect(evaluate('FILL(x,0)+0*a', { x: [none, none], a: [1, 1] })).toStrictEqual([0, 0]);
  });
});
