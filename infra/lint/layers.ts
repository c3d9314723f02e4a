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

/** The entry for each folder that an order does not name: these folders do not import each other. */
const OTHERS = '*';

/**
 * Rejects imports between the folders and files of a root against their order. The option lists each root's layers, the lowest
 * first.
 */
const order = {
  meta: { schema: [{ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }] },
  create(context: Context) {
    const {
      cwd,
      filename,
      options: [roots = {}],
    } = context;
    /** The layer of a file in a root. Files beside the folders are one layer, named `""`, unless the order names them. */
    const layerOf = (file: string, root: string, layers: readonly string[]): string | undefined => {
      const [name = '', ...rest] = relative(join(cwd, root), file).split(sep);
      if (name === '..') return undefined;
      if (layers.includes(name)) return name;
      return rest.length === 0 ? '' : name;
    };
    /** The place of a layer in an order, from 0 on. Below 0 if the order does not name it. */
    const placeOf = (layer: string, layers: readonly string[]): number =>
      layers.indexOf(layers.includes(layer) ? layer : OTHERS);
    const check = (node: Import): void => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return;
      const target = join(dirname(filename), specifier);
      for (const [root, layers] of Object.entries(roots)) {
        const from = layerOf(filename, root, layers);
        const to = layerOf(target, root, layers);
        if (from === undefined || to === undefined || from === to) continue;
        const place = placeOf(to, layers);
        if (place >= 0 && place < placeOf(from, layers)) continue;
        context.report({
          node,
          message: `${root}/${from} may not import ${root}/${to}: .oxlintrc.json has the order of the layers.`,
        });
      }
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** The lint rule that keeps the order of the layers. `.oxlintrc.json` loads it. */
export default { meta: { name: 'layers' }, rules: { order } };
