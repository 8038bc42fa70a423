// The compiler writes the types of every file that a subpath is made of, with all that they do not need outside. This makes
// one file of them: each subpath's `.d.ts` names what it exports of `types.d.ts`, which has only what public types lead to.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { inParentheses, plainType } from './plainTypes.mjs'

const here = import.meta.dirname
const emitted = join(here, 'dist/emitted')
const { exports, name: ownName } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const entries = Object.entries(exports).flatMap(([subpath, { types }]) =>
  types === undefined ? [] : [{ subpath, name: types.replace(/^.*\/(\w+)\.d\.ts$/, '$1'), types }],
)
const pathOf = (name) => join(emitted, `packages/uptick/src/${name}.d.ts`)
/** This package's own name is one of its files too: the compiler writes it into types that it infers. */
const ownFiles = new Map(entries.map(({ subpath, name }) => [join(ownName, subpath), pathOf(name)]))

/** The nodes within a node, in the order of the text. */
function* nodesIn(node) {
  if (node === null || typeof node !== 'object') return
  if (Array.isArray(node)) {
    for (const each of node) yield* nodesIn(each)
    return
  }
  if (typeof node.type !== 'string') return
  yield node
  for (const [key, child] of Object.entries(node)) if (!isName(node, key)) yield* nodesIn(child)
}
/** A name that refers to no declaration: of a property, or on the right of a dot. */
const isName = (node, key) =>
  (key === 'key' && !node.computed) || (key === 'right' && node.type === 'TSQualifiedName')

const modules = new Map()
/** What a file declares, imports and exports, by name. */
function moduleOf(path) {
  const known = modules.get(path)
  if (known) return known
  const code = readFileSync(path, 'utf8')
  const module = { path, code, declared: new Map(), imported: new Map(), exported: new Map(), all: [] }
  modules.set(path, module)
  let end = 0
  for (const node of parseAst(code, { lang: 'dts' }).body) {
    addStatement(module, node, end)
    end = node.end
  }
  return module
}

function addStatement(module, node, from) {
  const target = node.source ? fileOf(module, node.source.value) : undefined
  if (node.type === 'ImportDeclaration')
    for (const each of node.specifiers)
      module.imported.set(each.local.name, { target, name: each.imported?.name ?? '*' })
  else if (node.type === 'ExportAllDeclaration') module.all.push(target)
  else if (node.type === 'ExportNamedDeclaration' && !node.declaration)
    for (const { exported, local } of node.specifiers)
      module.exported.set(exported.name, { target, name: local.name })
  else addDeclaration(module, node, from)
}

function addDeclaration(module, node, from) {
  const isExported = node.type === 'ExportNamedDeclaration'
  const declaration = isExported ? node.declaration : node
  const comment = /\/\*\*(?:(?!\*\/)[^])*\*\/\s*$/.exec(module.code.slice(from, node.start))?.[0].trimEnd()
  for (const { id } of declaration.declarations ?? [declaration]) {
    const parts = module.declared.get(id.name) ?? []
    parts.push({ declaration, comment })
    module.declared.set(id.name, parts)
    if (isExported) module.exported.set(id.name, { target: undefined, name: id.name })
  }
}

/** The file that a path in a file means, or the name of another package. */
function fileOf({ path }, source) {
  if (ownFiles.has(source)) return ownFiles.get(source)
  return source.startsWith('.') ? resolve(dirname(path), source.replace(/\.[jt]s$/, '.d.ts')) : { source }
}

/** Where a name that a file exports is declared. */
function exportedBy(path, name) {
  if (typeof path !== 'string') return { outside: path.source, name }
  const module = moduleOf(path)
  const found = module.exported.get(name)
  if (found)
    return found.target === undefined ? local(module, found.name) : exportedBy(found.target, found.name)
  for (const target of module.all) {
    const further = exportedBy(target, name)
    if (further) return further
  }
  return undefined
}

/** Where a name that is used in a file is declared; undefined if it is one of the language. */
function local(module, name) {
  if (module.declared.has(name)) return { module, name }
  const imported = module.imported.get(name)
  return imported && exportedBy(imported.target, imported.name)
}

/** Every declaration or import that is needed, by its key, with the name that it has in the one file. */
const needed = new Map()
const taken = new Set()
const keyOf = ({ module, outside, name }) => `${module?.path ?? outside} ${name}`

function need(found) {
  const key = keyOf(found)
  if (needed.has(key)) return needed.get(key).as
  const { module, outside, name } = found
  const wanted = name === '*' ? outside.replaceAll(/\W/g, '_') : name
  let as = wanted
  for (let i = 2; taken.has(as); i++) as = `${wanted}${i}`
  taken.add(as)
  const entry = { ...found, as, texts: [] }
  needed.set(key, entry)
  for (const { declaration, comment } of module?.declared.get(name) ?? [])
    entry.texts.push(`${comment ? `${comment}\n` : ''}${textOf(module, declaration)}`)
  return as
}

/** A node's text, in which each name is the one that it has in the one file, and a schema's type is written out. */
function textOf(module, node) {
  const own = new Set()
  for (const each of nodesIn(node))
    if (each.type === 'TSTypeParameter' || each.type === 'TSMappedType')
      own.add(each.name?.name ?? each.key?.name)
  const edits = []
  for (const each of nodesIn(node)) {
    if (each.start < (edits.at(-1)?.end ?? 0)) continue
    const edit = editOf(module, each, own)
    if (edit) edits.push(edit)
  }
  let text = ''
  let at = node.start
  for (const { start, end, as } of edits) {
    text += module.code.slice(at, start) + as
    at = end
  }
  return text + module.code.slice(at, node.end)
}

/** What replaces a node's text; undefined: it stays. */
function editOf(module, node, own) {
  const { start, end } = node
  if (node.type === 'TSImportType') {
    const found = exportedBy(fileOf(module, node.source.value), node.qualifier.name)
    return { start, end: node.qualifier.end, as: need(found) }
  }
  const schema = inferredSchema(module, node)
  if (schema)
    return { start, end, as: inParentheses(plainType(schema.type, (each) => textOf(schema.module, each))) }
  const values = valuesOfConstant(module, node)
  if (values) return { start, end, as: inParentheses(values) }
  if (node.type !== 'Identifier' || own.has(node.name)) return undefined
  const found = local(module, node.name)
  return found && { start, end: start + node.name.length, as: need(found) }
}

/** Of `z.infer<typeof schema>` the schema's own type, and the file that has it. */
function inferredSchema(module, { typeName, typeArguments }) {
  const [argument] = typeArguments?.params ?? []
  if (typeName?.right?.name !== 'infer' || argument.exprName?.type !== 'Identifier') return undefined
  const found = local(module, argument.exprName.name)
  const [{ declaration }] = found.module.declared.get(found.name)
  return { module: found.module, type: declaration.declarations[0].id.typeAnnotation.typeAnnotation }
}

/** Of `(typeof list)[number]`, or of the values of an object, the values: so the constant's own type is not needed. */
function valuesOfConstant(module, { type, objectType, indexType }) {
  const of = objectType?.typeAnnotation ?? objectType
  if (type !== 'TSIndexedAccessType' || of.type !== 'TSTypeQuery') return undefined
  const found = local(module, of.exprName.name)
  const [{ declaration }] = found.module.declared.get(found.name)
  const declared = declaration.declarations[0].id.typeAnnotation.typeAnnotation
  const { members, elementTypes } = declared.typeAnnotation ?? declared
  const isOfAll =
    indexType.type === 'TSNumberKeyword' ? elementTypes : indexType.operator === 'keyof' && members
  if (!isOfAll) return undefined
  const types = elementTypes ?? members.map((member) => member.typeAnnotation.typeAnnotation)
  return types.map((each) => textOf(found.module, each)).join(' | ')
}

/** All names that a file exports. */
function namesOf(path) {
  const { exported, all } = moduleOf(path)
  return [...exported.keys(), ...all.flatMap((target) => (typeof target === 'string' ? namesOf(target) : []))]
}

const exportedNames = new Set()
for (const { name } of entries) {
  const lines = namesOf(pathOf(name)).map((exported) => {
    const as = need(exportedBy(pathOf(name), exported))
    exportedNames.add(as)
    return as === exported ? as : `${as} as ${exported}`
  })
  writeFileSync(join(here, `dist/${name}.d.ts`), `export { ${lines.join(', ')} } from './types.js'\n`)
}
/** No one can name a type that no subpath exports, so only what its members are is of use; `API.md` has the comments. */
const withoutComments = (text) => text.replace(/\/\*\*(?:(?!\*\/)[^])*\*\/\s*/g, '')
const exportedText = (text) => text.replace(/^((?:\/\*\*(?:(?!\*\/)[^])*\*\/\s*)?)(?:declare )?/, '$1export ')
/** With a space for each level, and a comment in one line: an editor shows it the same. */
const packed = (text) =>
  text
    .replace(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 4))
    .replace(/"([\w-]+)"/g, "'$1'")
    .replace(/\/\*\*(?:(?!\*\/)[^])*\*\//g, (comment) =>
      comment.replace(/\s*\n\s*(\*\/|\*(?! ?@) ?)/g, (_, end) => (end === '*/' ? ' */' : ' ')),
    )
    .replace(/;$/gm, '')
const imports = new Map()
const declarations = []
for (const { outside, name, as, texts } of needed.values()) {
  if (outside === undefined)
    declarations.push(...texts.map(exportedNames.has(as) ? exportedText : withoutComments))
  else if (name === '*') imports.set(as, `import * as ${as} from '${outside}'`)
  else imports.set(outside, [...(imports.get(outside) ?? []), name === as ? as : `${name} as ${as}`])
}
const importLines = [...imports].map(([from, names]) =>
  typeof names === 'string' ? names : `import { ${names.join(', ')} } from '${from}'`,
)
writeFileSync(
  join(here, 'dist/types.d.ts'),
  [...importLines, ...declarations.map(packed), 'export {}', ''].join('\n'),
)
rmSync(emitted, { recursive: true })
