import { dirname, join, relative, sep } from 'node:path';

interface Import {
  readonly source?: { readonly value: unknown } | null;
}

interface Context {
  readonly cwd: string;
  readonly filename: string;
  readonly options: readonly Readonly<Record<string, readonly string[]>>[];
  report(problem: { readonly node: Import; readonly message: string }): void;
}

/** Rejects imports between the folders of a root against their order. The option lists each root's layers, the lowest first. */
const order = {
  meta: { schema: [{ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }] },
  create(context: Context) {
    const {
      cwd,
      filename,
      options: [roots = {}],
    } = context;
    const own = relative(cwd, filename).split(sep)[0] ?? '';
    const layers = roots[own] ?? [];
    /** The layer of a file of the same root: its folder, or the file itself if the order has it. */
    const layerOf = (file: string): string | undefined => {
      const [root, name = '', ...rest] = relative(cwd, file).split(sep);
      if (root !== own) return undefined;
      return rest.length > 0 || layers.includes(name) ? name : '';
    };
    const from = layerOf(filename);
    const check = (node: Import): void => {
      const specifier = node.source?.value;
      if (
        !(own in roots) ||
        from === undefined ||
        typeof specifier !== 'string' ||
        !specifier.startsWith('.')
      )
        return;
      const to = layerOf(join(dirname(filename), specifier));
      if (to === undefined || to === from) return;
      if (layers.includes(from) && layers.indexOf(to) < layers.indexOf(from) && layers.includes(to)) return;
      context.report({
        node,
        message: `${own}/${from} may not import ${own}/${to}: .oxlintrc.json has the order of the layers.`,
      });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

/** The lint rule that keeps the order of the layers. `.oxlintrc.json` loads it. */
export default { meta: { name: 'layers' }, rules: { order } };
