interface NewExpression {
  readonly callee: { readonly type: string; readonly name?: string };
  readonly arguments: readonly unknown[];
}

interface Context {
  report(problem: { readonly node: NewExpression; readonly message: string }): void;
}

/** Rejects `new Date()`, which reads the clock of the machine. `new Date(timeMs)` only converts a time. */
const noNewDate = {
  create: (context: Context) => ({
    NewExpression(node: NewExpression): void {
      if (node.callee.name === 'Date' && node.arguments.length === 0) {
        context.report({ node, message: "Read the request's clock or processClock instead." });
      }
    },
  }),
};

/** The lint rules of this project that oxlint does not have. `.oxlintrc.json` loads them. */
export default { meta: { name: 'clocks' }, rules: { 'no-new-date': noNewDate } };
