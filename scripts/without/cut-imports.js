// What is left of a file when others that it imports are gone: each such import goes, and with it the elements of lists,
// the bases and the parts of types that bear an imported name. Whoever uses such a name otherwise cannot do without.
import ts from 'typescript';

/**
 * @param {string} text @param {string} name of the file, for messages
 * @param {(specifier: string) => boolean} isGone
 * @returns {string} @throws Error where a name that is gone is used in another way
 */
export function cutImports(text, name, isGone) {
  const file = () => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const gone = new Set();
  for (const statement of file().statements.toReversed()) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !isGone(moduleSpecifier.text)) continue;
    for (const each of statement.importClause?.namedBindings?.elements ?? []) gone.add(each.name.text);
    text = text.slice(0, statement.getFullStart()) + text.slice(statement.end);
  }
  if (gone.size === 0) return text;
  for (;;) {
    const use = findUse(file(), gone);
    if (use === null) return text;
    const range = rangeToCut(use);
    if (range === null) throw new Error(`${name} cannot do without ${use.text}`);
    text = text.slice(0, range[0]) + text.slice(range[1]);
  }
}

function findUse(node, names) {
  if (ts.isIdentifier(node) && names.has(node.text) && !isMemberName(node)) return node;
  return ts.forEachChild(node, (child) => findUse(child, names) ?? undefined) ?? null;
}

/** Whether an identifier only names a member of something: `x.runs`, `{ runs: … }`. */
function isMemberName(node) {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    ((ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node)
  );
}

/** What goes with a use of a name, from and to where; null where it cannot go. */
function rangeToCut(use) {
  let node = use;
  if (ts.isCallExpression(node.parent) && node.parent.expression === node) node = node.parent;
  if (ts.isSpreadElement(node.parent) || ts.isSpreadAssignment(node.parent)) node = node.parent;
  if (ts.isTypeReferenceNode(node.parent)) node = node.parent;
  const { parent } = node;
  if (ts.isExpressionWithTypeArguments(parent)) return [parent.parent.getFullStart(), parent.parent.end];
  if (ts.isArrayLiteralExpression(parent)) return element(node, parent.elements);
  if (ts.isSpreadAssignment(node)) return element(node, parent.properties);
  return ts.isIntersectionTypeNode(parent) ? element(node, parent.types) : null;
}

/** A member of a list, with what parts it from the next, or else from the one before. */
function element(node, list) {
  const at = list.indexOf(node);
  if (list.length === 1) return [list.pos, list.end];
  return at === 0 ? [node.getFullStart(), list[1].getFullStart()] : [list[at - 1].end, node.end];
}
