import { dirname, join, relative, sep } from 'node:path';

interface Import {
  readonly source?: { readonly value: unknown } | null;
}

interface Context {
  readonly cwd: string;
  readonly filename: string;
  readonly options: readonly (readonly string[])[];
  report(problem: { readonly node: Import; readonly message: string }): void;
}

/** Rejects imports between the folders of `lib` against their order. The option lists the layers, the lowest first. */
const order = {
  meta: { schema: [{ type: 'array', items: { type: 'string' } }] },
  create(context: Context) {
    const {
      cwd,
      filename,
      options: [layers = []],
    } = context;
    /** The layer of a file of `lib`: its folder, or the file itself if the order has it. */
    const layerOf = (file: string): string | undefined => {
      const [root, name = '', ...rest] = relative(cwd, file).split(sep);
      if (root !== 'lib') return undefined;
      return rest.length > 0 || layers.includes(name) ? name : '';
    };
    const from = layerOf(filename);
    const check = (node: Import): void => {
      const specifier = node.source?.value;
      if (from === undefined || typeof specifier !== 'string' || !specifier.startsWith('.')) return;
      const to = layerOf(join(dirname(filename), specifier));
      if (to === undefined || to === from) return;
      if (layers.includes(from) && layers.indexOf(to) < layers.indexOf(from) && layers.includes(to)) return;
      context.report({
        node,
        message: `lib/${from} may not import lib/${to}: .oxlintrc.json has the order of the layers.`,
      });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

/** The lint rule that keeps the order of the layers. `.oxlintrc.json` loads it. */
export default { meta: { name: 'layers' }, rules: { order } };
