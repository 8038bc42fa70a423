// Writes packages/uptick/API.md from the sources of the package's entries: each export with its comment and its types.
// `--check` says whether the page is up to date instead (exit code 1).
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
// The compiler of the generated client: the project's own has no stable interface for programs.
const ts = createRequire(join(root, 'tests/client/package.json'))('typescript')
const page = join(root, 'packages/uptick/API.md')
const entries = ['test', 'vitest', 'replay', 'marbles', 'venue', 'index']

const parsed = new Map()
function sourceOf(file) {
  if (!parsed.has(file))
    parsed.set(
      file,
      ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TS),
    )
  return parsed.get(file)
}
const isExported = (node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
const namesOf = (node) =>
  ts.isVariableStatement(node)
    ? node.declarationList.declarations.map(({ name }) => name.text)
    : node.name === undefined
      ? []
      : [node.name.text]

/** The names that a file exports, each with the statement that declares it. */
function exportsOf(file) {
  const found = new Map()
  for (const node of sourceOf(file).statements) {
    if (!ts.isExportDeclaration(node)) {
      if (isExported(node) && !ts.getJSDocTags(node).some((tag) => tag.tagName.text === 'internal'))
        for (const name of namesOf(node)) found.set(name, node)
    } else if (node.moduleSpecifier?.text.startsWith('.')) {
      const target = exportsOf(resolve(dirname(file), node.moduleSpecifier.text))
      const wanted = node.exportClause?.elements.map(({ name }) => name.text) ?? [...target.keys()]
      for (const name of wanted) if (target.has(name)) found.set(name, target.get(name))
    }
  }
  return found
}

function commentOf(node) {
  const [doc] = ts.getJSDocCommentsAndTags(node)
  if (doc === undefined || !ts.isJSDoc(doc)) return ''
  const tags = (doc.tags ?? []).map((tag) => {
    const name = tag.name === undefined ? '' : ` \`${tag.name.getText()}\``
    const what = tag.tagName.text === 'param' ? name.trim() : `${tag.tagName.text}${name}`
    return `- ${what}: ${ts.getTextOfJSDocComment(tag.comment) ?? tag.getText().replace(/^@\w+\s*/, '')}`
  })
  const text = ts.getTextOfJSDocComment(doc.comment) ?? ''
  return [text, tags.join('\n')].filter((part) => part !== '').join('\n\n')
}

let program
/** The type that a schema has, written out. */
function inferredType({ name }) {
  const { fileName } = name.getSourceFile()
  program ??= ts.createProgram(
    entries.map((entry) => join(root, `packages/uptick/src/${entry}.ts`)),
    {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    },
  )
  const same = program
    .getSourceFile(fileName)
    .statements.find((each) => ts.isTypeAliasDeclaration(each) && each.name.text === name.text)
  const checker = program.getTypeChecker()
  const flags = ts.TypeFormatFlags
  const text = checker.typeToString(
    checker.getTypeAtLocation(same.name),
    same,
    flags.NoTruncation |
      flags.InTypeAlias |
      flags.MultilineObjectLiterals |
      flags.UseSingleQuotesForStringLiteralType |
      flags.UseAliasDefinedOutsideCurrentScope,
  )
  // It leaves out the line ends, and keeps the indentation.
  return text
    .replaceAll(/;?( {4,})/g, (_all, indent) => `\n${indent.slice(indent.length / 2)}`)
    .replace(/;?\}$/, '\n}')
    .replaceAll(/\{\n([^{}]*)\n *\}/g, (lines, members) => {
      const line = `{ ${members.trim().replaceAll(/\n */g, '; ')} }`
      return line.length <= 60 ? line : lines
    })
}

/** A declaration without its body. */
function signatureOf(node) {
  const text = node.getText()
  if (ts.isTypeAliasDeclaration(node) && node.type.getText().startsWith('z.infer<'))
    return `type ${node.name.text} = ${inferredType(node)}`
  const start = node.getStart()
  if (ts.isFunctionDeclaration(node) && node.body) return text.slice(0, node.body.getStart() - start).trim()
  if (ts.isVariableStatement(node)) {
    const [{ initializer }] = node.declarationList.declarations
    if (initializer && ts.isArrowFunction(initializer))
      return text.slice(0, initializer.equalsGreaterThanToken.getStart() - start).trim()
    return text.split('\n').length > 3
      ? text.slice(0, initializer.getStart() - start).replace(/\s*=\s*$/, '')
      : text
  }
  return text
}

function render() {
  const seen = new Map()
  const sections = entries.map((entry) => {
    const name = entry === 'index' ? 'uptick' : `uptick/${entry}`
    const again = []
    const own = [...exportsOf(join(root, `packages/uptick/src/${entry}.ts`))].flatMap(([id, node]) => {
      if (seen.has(node)) {
        again.push(`\`${id}\``)
        return []
      }
      seen.set(node, name)
      const code = ['```ts', signatureOf(node).replace(/^export /, ''), '```'].join('\n')
      return [[`### ${id}`, commentOf(node), code].filter((part) => part !== '').join('\n\n')]
    })
    const same = again.length === 0 ? [] : [`Also here, described above: ${again.join(', ')}.`]
    return [`## \`${name}\``, ...same, ...own].join('\n\n')
  })
  return `${intro}\n${sections.join('\n\n')}\n`
}

const intro = `# API of the package

Written from its types by \`${relative(root, import.meta.filename)}\`; the [README](README.md) has examples.

**Units.** Prices and sizes are integers: 42970.20 with two decimals is 4297020. \`Quote\` and \`Product\` say \`priceDecimals\`;
\`formatPrice(price, priceDecimals)\` of \`uptick\` makes text of it. Money in calls is text with two decimals, \`"10.00"\`; as a
number it is in cents. \`…Bp\` are hundredths of a percent: 8500 is 85 %.

**Instants** are epoch milliseconds. In a replay they are the recorded ones.

**Virtual time.** A replayed market has a clock that only \`play\`, \`seek\` and \`untilOrderSettles\` move, to whatever the ticks and
timers up to then take to process; nothing waits for real time, and each run is the same. \`replayTicks\` and \`ticks\` (marbles) go by
the \`scheduler\` that they get: without one by real time, with \`virtualClock()\` as far as \`advanceTo\` says.
`

const text = render()
if (process.argv.includes('--check')) {
  const isCurrent = existsSync(page) && readFileSync(page, 'utf8') === text
  if (!isCurrent) process.stderr.write('packages/uptick/API.md is old: node scripts/apiPage.mjs\n')
  process.exitCode = isCurrent ? 0 : 1
} else writeFileSync(page, text)
