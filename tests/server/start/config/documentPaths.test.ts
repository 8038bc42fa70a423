import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageFile from '../../../../packages/uptick/package.json' with { type: 'json' }
import { projectRoot } from '../../../../server/platform/paths.ts'

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(projectRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const textOf = (document: string): string => readFileSync(join(projectRoot, document), 'utf8')
const exists = (path: string): boolean => existsSync(join(projectRoot, path))

/** Written by a command or a running venue, and therefore not in the repository. */
const generated = new Set([
  'bench.json',
  'campaign.json',
  'screenshots/',
  'deploy/live/',
  'sw.js',
  'db/',
  'uploads/',
])
const rootFolders = new Set(
  readdirSync(projectRoot, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  ),
)

/** What programs import from the package: `uptick/replay`. */
const packageImports = new Set(
  Object.keys(packageFile.exports).map((subpath) => subpath.replace('.', 'uptick')),
)

/** `a/b`, `a/b.ts`, `a/<name>/`, `a/*.json`; addresses of the app (`pages/…`) have a test of their own. */
const pathPattern = /^(?!pages\/|\.\/)[.a-z][\w.-]*(\/[\w.<>*-]+)+\/?$/
const folderPattern = /^[\w-]+\/$/
const fileNamePattern = /^[\w.-]+\.(tsx?|m?js|json|md|css|html)$/

/** The part of a path that is written out: what comes before `<name>` or `*`. */
const writtenOut = (path: string): string => path.replace(/\/[^/]*[<*].*$/, '').replace(/\/$/, '')

/** What a document names in code font and in commands, in order. */
function namedIn(text: string): string[] {
  const [inCommands, inText] = [/^```.*\n([\s\S]*?)^```$/gm, /`([^`\n]+)`/g]
  const spans = [...text.replace(inCommands, '').matchAll(inText)].map(([, span = '']) => span)
  const words = [...text.matchAll(inCommands)]
    .flatMap(([, block = '']) => block.split(/\s+/))
    .filter((word) => word.includes('/') && rootFolders.has(word.split('/')[0] ?? ''))
  return [...spans, ...words]
}

/** Paths count from the root of the project; a file name alone is in the folder named last, or in the root. */
function missingPaths(text: string): { checked: number; missing: string[] } {
  const missing: string[] = []
  let checked = 0
  let folder = '.'
  for (const named of namedIn(text)) {
    if (generated.has(named) || packageImports.has(named)) continue
    if (pathPattern.test(named) || folderPattern.test(named)) {
      const path = writtenOut(named)
      checked++
      if (!exists(path)) missing.push(named)
      folder = fileNamePattern.test(path.split('/').at(-1) ?? '') ? dirname(path) : path
    } else if (fileNamePattern.test(named)) {
      checked++
      if (!exists(join(folder, named)) && !exists(named)) missing.push(`${named} (in ${folder})`)
    }
  }
  return { checked, missing }
}

/** The anchor that a heading gets: lower case, without punctuation, a hyphen for each space. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** `known device` is `KnownDevice` and `known-device`. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[\s_-]/g, '')

function brokenLinks(document: string): string[] {
  const text = textOf(document)
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#')
      const path = file === '' ? document : join(dirname(document), file)
      if (!exists(path)) return true
      return anchor !== undefined && !anchorsOf(textOf(path)).includes(anchor)
    })
}

describe('the documents', () => {
  it.each(documents)('%s names only files and folders that exist', (document) => {
    expect(missingPaths(textOf(document)).missing).toEqual([])
  })

  it('name files and folders often', () => {
    const checked = documents.map((document) => missingPaths(textOf(document)).checked)
    expect(checked.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(200)
  })

  it('are searched for paths in code font, in commands and beside the path before', () => {
    const text =
      'In `server/app.ts`, `gone.ts`, `main.ts`, `old/log.ts`.\n\n```sh\nnpx vitest run tests/gone\n```\n'
    expect(missingPaths(text).missing).toEqual(['gone.ts (in server)', 'old/log.ts', 'tests/gone'])
  })

  it.each(documents)('%s links only to what exists', (document) => {
    expect(brokenLinks(document)).toEqual([])
  })
})

describe('docs/glossary.md', () => {
  const glossary = textOf('docs/glossary.md')
  const lines = glossary.split('\n').filter((line) => line.startsWith('- '))
  const terms = lines.map((line) => /^- \*\*(.+?)\*\* — .+ — \[(.+?)\]\(\.\.\/(.+?)\)$/.exec(line))

  it('has at most 50 terms, each with a sentence and a file', () => {
    expect(lines.filter((_, i) => terms[i] === null)).toEqual([])
    expect(lines.length).toBeGreaterThan(30)
    expect(lines.length).toBeLessThanOrEqual(50)
  })

  it('names terms that their files use', () => {
    const unused = terms.flatMap((match) => {
      const [, names = '', shown, path = ''] = match ?? []
      const source = squeezed(path + textOf(path))
      return names
        .split(', ')
        .filter((name) => shown !== path || !source.includes(squeezed(name)))
        .map((name) => `${name}: ${path}`)
    })
    expect(unused).toEqual([])
  })
})
