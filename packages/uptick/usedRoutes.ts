// Each table of calls (`authRoutes`) has every call of a venue, with its text and its schemas. The package makes a tenth of
// them, and the build keeps an object whole: this plugin leaves out the calls that no file of the package names, so that
// their schemas go too. Likewise the statuses of error codes that no file gives.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import type { Plugin } from 'vite'

const root = resolve(import.meta.dirname, '../..')
/** Where the package's files that make or answer calls are. */
const sources = ['packages/uptick/src', 'streams', 'src/api/streamsApi.ts']

/** Tables of all error codes; any other file of the contract may give one. */
const codeTables = /\/contract\/(?:errors|errorStatus|routeErrors)\.ts$/

const callsIn = (code: string): string[] => code.match(/\b\w+Routes\.\w+/g) ?? []

/** Each as the call `errorStatus.CODE`. */
const codesIn = (code: string): string[] =>
  [...code.matchAll(/'([A-Z_]+)'/g)].map(([, name]) => `errorStatus.${name}`)

function filesIn(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap(({ name }) => filesIn(join(path, name)))
}

/**
 * A file of the contract without the calls that are not used, and with each constant that a call makes marked as one that
 * may be left out: a schema with a check is built by several calls, of which the build knows nothing.
 */
function withoutOthers(code: string, used: ReadonlySet<string>): string {
  let left = code
  const replace = (start: number, end: number, text: string): void => {
    left = left.slice(0, start) + text + left.slice(end)
  }
  for (const { name, init } of constantsIn(code).toReversed())
    if (init.type === 'CallExpression')
      replace(init.start, init.end, `/*#__PURE__*/ (() => ${left.slice(init.start, init.end)})()`)
    else if (/Routes$|^errorStatus$/.test(name) && init.type === 'ObjectExpression')
      for (const each of init.properties.toReversed())
        if (
          each.type === 'Property' &&
          each.key.type === 'Identifier' &&
          !used.has(`${name}.${each.key.name}`)
        )
          replace(each.start, left[each.end] === ',' ? each.end + 1 : each.end, '')
  return left.replace(/\b(?:summary:\s+(?:'[^']*'|"[^"]*")|(?:costly|unlessFrozen): true),/g, '')
}

/** The variables of a module with their first values. */
const constantsIn = (code: string) =>
  parseAst(code, { lang: 'ts' }).body.flatMap((node) => {
    const of = node.type === 'ExportNamedDeclaration' ? node.declaration : node
    return of?.type === 'VariableDeclaration'
      ? of.declarations.flatMap(({ id, init }) =>
          id.type === 'Identifier' && init ? { name: id.name, init } : [],
        )
      : []
  })

/** @returns a plugin of Vite's build */
export function usedRoutes(): Plugin {
  const textsOf = (paths: readonly string[]): string[] =>
    paths
      .flatMap((path) => filesIn(join(root, path)))
      .filter((path) => !codeTables.test(path))
      .map((path) => readFileSync(path, 'utf8'))
  const used = new Set([
    ...textsOf(sources).flatMap(callsIn),
    ...textsOf([...sources, 'contract']).flatMap(codesIn),
  ])
  return {
    name: 'used-routes',
    enforce: 'pre',
    transform: {
      filter: { id: /\.ts$/ },
      handler(code, id) {
        if (/\/contract\/[^/]+\.ts$/.test(id)) return { code: withoutOthers(code, used), map: null }
        const missing = callsIn(code).find((call) => !used.has(call))
        if (missing !== undefined)
          this.error(`${missing} is left out: add the folder of ${id} to usedRoutes.ts`)
        return null
      },
    },
  }
}
