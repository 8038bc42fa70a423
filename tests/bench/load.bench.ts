import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { lighthouseScores, type Score } from './load/lighthouse.ts'
import { median, type Row } from './row.ts'

const root = resolve(import.meta.dirname, '../..')

type Manifest = Record<string, { file: string; isEntry?: boolean; imports?: string[]; name?: string }>

/** P8: the code loaded before any page's own, against the bare libraries; and Lighthouse on the built app. */
export async function run(): Promise<Row[]> {
  if (!existsSync(join(root, 'dist/server/main.js'))) throw new Error('build first: npm run build')
  const bare = await bareLibraries()
  const entry = loadedBytes((chunk) => chunk.isEntry === true)
  const withStreams = loadedBytes((chunk) => chunk.isEntry === true || chunk.name === 'streams')
  const pages = await lighthouseScores()
  return [
    { id: 'P8', what: 'bare libraries, gzip', value: bare / 1024, unit: 'kB' },
    ratio('JavaScript before any page chunk, gzip', entry, bare),
    {
      id: 'P8',
      what: 'the same with the streams that load beside the first page',
      value: withStreams / bare,
      unit: '×',
    },
    ...[...pages].flatMap(([page, scores]) => pageRows(page, scores)),
  ]
}

/** Of one page, medians. The time until its largest content shows has a limit only for the welcome page: the others need a login. */
function pageRows(page: string, scores: readonly Score[]): Row[] {
  const of = (select: (score: Score) => number): number => median(scores.map(select))
  const cls = of((score) => score.cls)
  const lcpMs = of((score) => score.lcpMs)
  const lcp: Row = { id: 'P8', what: `${page}: largest contentful paint, slow 4G`, value: lcpMs, unit: 'ms' }
  return [
    atLeast(
      `${page}: Lighthouse mobile: performance`,
      of((score) => score.performance),
      95,
    ),
    atLeast(
      `${page}: accessibility`,
      of((score) => score.accessibility),
      100,
    ),
    atLeast(
      `${page}: best practices`,
      of((score) => score.bestPractices),
      100,
    ),
    atLeast(
      `${page}: SEO`,
      of((score) => score.seo),
      100,
    ),
    page === 'welcome' ? { ...lcp, limit: '≤ 1500', ok: lcpMs <= 1500 } : lcp,
    {
      id: 'P8',
      what: `${page}: cumulative layout shift`,
      value: cls,
      unit: '',
      limit: '≤ 0.01',
      ok: cls <= 0.01,
    },
  ]
}

const ratio = (what: string, ours: number, bare: number): Row => {
  const value = ours / bare
  return { id: 'P8', what, value, unit: '×', limit: '≤ 1.5', ok: value <= 1.5 }
}
const atLeast = (what: string, value: number, limit: number): Row => ({
  id: 'P8',
  what,
  value,
  unit: 'points',
  limit: `≥ ${limit}`,
  ok: value >= limit,
})

/** Gzipped size of the JavaScript of the chosen chunks with their static imports. */
function loadedBytes(chosen: (chunk: Manifest[string]) => boolean): number {
  const client = join(root, 'dist/client')
  const manifest = JSON.parse(readFileSync(join(client, '.vite/manifest.json'), 'utf8')) as Manifest
  const files = new Set<string>()
  const collect = (chunk: Manifest[string] | undefined): void => {
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const next of chunk.imports ?? []) collect(manifest[next])
  }
  for (const chunk of Object.values(manifest)) if (chosen(chunk)) collect(chunk)
  return [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(client, file)), { level: 9 }).length,
    0,
  )
}

/** Gzipped size of React, rxjs, socket.io-client and valtio bundled alone, only retained. */
async function bareLibraries(): Promise<number> {
  const folder = mkdtempSync(join(root, 'node_modules/.bare-'))
  try {
    const names = ['react', 'react-dom/client', 'rxjs', 'socket.io-client', 'valtio']
    const source = names.map((name, i) => `import * as l${i} from '${name}'`).join('\n')
    const entry = join(folder, 'bare.js')
    writeFileSync(entry, `${source}\nglobalThis.bare = [${names.map((_, i) => `l${i}`).join()}]\n`)
    const built = await build({
      configFile: false,
      logLevel: 'error',
      root: folder,
      build: { write: false, target: 'es2022', rollupOptions: { input: entry } },
    })
    const outputs = Array.isArray(built) ? built : [built]
    const chunks = outputs.flatMap((one) => ('output' in one ? one.output : []))
    return chunks.reduce(
      (sum, part) => sum + (part.type === 'chunk' ? gzipSync(part.code, { level: 9 }).length : 0),
      0,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
