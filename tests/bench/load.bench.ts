import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { build } from 'vite'
import { browserLaunch } from '../support/browser.ts'
import { median } from './row.ts'
import type { Row } from './row.ts'

const root = resolve(import.meta.dirname, '../..')
const port = 18_470
const debugPort = 18_471
const runs = 5

type Manifest = Record<string, { file: string; isEntry?: boolean; imports?: string[]; name?: string }>
type Score = {
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  lcpMs: number
  cls: number
}

/** P8: the code loaded before any page's own, against the bare libraries; and Lighthouse on the built app. */
export async function run(): Promise<Row[]> {
  if (!existsSync(join(root, 'dist/server/main.js'))) throw new Error('build first: npm run build')
  const bare = await bareLibraries()
  const entry = loadedBytes((chunk) => chunk.isEntry === true)
  const withStreams = loadedBytes((chunk) => chunk.isEntry === true || chunk.name === 'streams')
  const scores = await lighthouseScores()
  const of = (select: (score: Score) => number): number => median(scores.map(select))
  return [
    { id: 'P8', what: 'bare libraries, gzip', value: bare / 1024, unit: 'kB' },
    ratio('JavaScript before any page chunk, gzip', entry, bare),
    {
      id: 'P8',
      what: 'the same with the streams that load beside the first page',
      value: withStreams / bare,
      unit: '×',
    },
    atLeast(
      'Lighthouse mobile: performance',
      of((s) => s.performance),
      95,
    ),
    atLeast(
      'Lighthouse mobile: accessibility',
      of((s) => s.accessibility),
      100,
    ),
    atLeast(
      'Lighthouse mobile: best practices',
      of((s) => s.bestPractices),
      100,
    ),
    atLeast(
      'Lighthouse mobile: SEO',
      of((s) => s.seo),
      100,
    ),
    limitMs(
      'largest contentful paint, slow 4G',
      of((s) => s.lcpMs),
      1500,
    ),
    {
      id: 'P8',
      what: 'cumulative layout shift',
      value: of((s) => s.cls),
      unit: '',
      limit: '≤ 0.01',
      ok: of((s) => s.cls) <= 0.01,
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
const limitMs = (what: string, value: number, limit: number): Row => ({
  id: 'P8',
  what,
  value,
  unit: 'ms',
  limit: `≤ ${limit}`,
  ok: value <= limit,
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

/** Lighthouse's mobile defaults (slow 4G, 4 × slower processor) on the welcome page of a new venue. */
async function lighthouseScores(): Promise<Score[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'uptick-load-'))
  const venue = spawn(process.execPath, [join(root, 'dist/server/main.js')], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: 'ignore',
  })
  const launch = await browserLaunch()
  const browser = await chromium.launch({
    ...launch,
    args: [...(launch.args ?? []), `--remote-debugging-port=${debugPort}`],
  })
  try {
    await waitUntilServing()
    const { default: lighthouse } = await import('lighthouse')
    const scores: Score[] = []
    for (let i = 0; i < runs; i++) {
      const result = await lighthouse(`http://127.0.0.1:${port}/`, {
        port: debugPort,
        output: 'json',
        logLevel: 'error',
      })
      if (!result) throw new Error('Lighthouse gave no result')
      const { categories, audits } = result.lhr
      const points = (name: string): number => Math.round((categories[name]?.score ?? 0) * 100)
      scores.push({
        performance: points('performance'),
        accessibility: points('accessibility'),
        bestPractices: points('best-practices'),
        seo: points('seo'),
        lcpMs: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
        cls: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
      })
    }
    return scores
  } finally {
    await browser.close()
    venue.kill('SIGTERM')
    await new Promise((done) => venue.once('exit', done))
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function waitUntilServing(): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((next) => setTimeout(next, 100))
  }
  throw new Error('the venue did not start')
}
