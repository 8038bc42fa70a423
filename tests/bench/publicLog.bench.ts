import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createAppender } from '../../server/market/publicLog/appender.ts'
import { createSignedFile } from '../../server/market/publicLog/signedFile.ts'
import { rootOfTree, withLeaf, type LogTree } from '../../server/market/publicLog/tree.ts'
import { launchBrowser } from '../support/browser.ts'
import { logKeys, origin, signer } from '../support/sampleLog.ts'
import { testFence } from '../support/testFence.ts'
import { serve } from '../support/serve.ts'
import { sampleLeaf } from '../support/wholeLog.ts'
import { bundle } from './browserPage.ts'
import { openBenchDatabase, type Engine } from './databases.ts'
import { browserCase, productIds, writeMonth } from './publicLog/month.ts'
import type { BrowserCase, BrowserCost } from './publicLog/page.ts'
import { median, type Row } from './row.ts'

/** 30 days. `LEAVES` makes it shorter. */
const leaves = Number(process.env['LEAVES'] ?? 2_592_000)
const verifyMaxS = 60
const browserMaxMs = 20
const appendMaxMs = 1
/** A page that was just opened has compiled nothing: so does a member's, who checks one order. */
const pages = 9
const appends = 5000
const committedAppends = 400

const row = (what: string, value: number, unit: string, max?: number): Row => ({
  id: 'log',
  what,
  value,
  unit,
  ...(max !== undefined && { limit: `≤ ${max}`, ok: value <= max }),
})

/** The public log: what a leaf costs, what a device checks, and how long anyone needs to verify a month of it. */
export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'uptick-month-'))
  try {
    const rows = [...addRows(), ...(await committedRows('PostgreSQL')), ...(await committedRows('PGlite'))]
    const files = writeMonth(folder, leaves)
    rows.push(...(await browserRows(await browserCase(folder, leaves))))
    const seconds = await verifyS(folder)
    rows.push(row(`uptick verify --log: ${leaves} leaves in ${files} files`, seconds, 's', verifyMaxS))
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Adds leaves to a tree and signs its root, without the database; in processor time, so that other work does not count. */
function addRows(): Row[] {
  const made = Array.from({ length: appends }, (_, i) => sampleLeaf(i, productIds))
  let tree: LogTree = { size: 0, last: null, partial: [], range: [] }
  const before = process.cpuUsage()
  for (const leaf of made) {
    tree = withLeaf(tree, leaf).tree
    signer.sign({ origin, size: tree.size, root: rootOfTree(tree) })
  }
  const { user, system } = process.cpuUsage(before)
  const what = `a leaf of ${productIds.length} products, added and signed (processor time)`
  return [row(what, (user + system) / 1000 / appends, 'ms', appendMaxMs)]
}

/** The same as the leader does it: read from the market, added, signed, committed, and noted in the data folder. */
async function committedRows(engine: Engine): Promise<Row[]> {
  const { database, close } = await openBenchDatabase(engine)
  const dataDir = mkdtempSync(join(tmpdir(), 'uptick-bench-'))
  let i = 0
  const market = {
    ids: productIds,
    head: (id: string) => sampleLeaf(i, [id]).heads[0] ?? { seq: 0, hash: '' },
    gaps: async () => [],
    flushedAt: () => sampleLeaf(i).at,
  }
  const signedFile = createSignedFile(dataDir)
  const appender = createAppender({
    db: database.db,
    pool: database.pool,
    fence: testFence,
    market,
    signer,
    signedFile,
  })
  const took: number[] = []
  for (; i < committedAppends; i++) {
    const started = performance.now()
    await appender.append(origin)
    took.push(performance.now() - started)
  }
  await close()
  rmSync(dataDir, { recursive: true, force: true })
  return [row(`${engine}: a leaf made, signed and committed, p50`, median(took), 'ms')]
}

/** What a device does with an order's proof, and at a connect, each for the first time on its page. */
async function browserRows(input: BrowserCase): Promise<Row[]> {
  const code = await bundle(join(import.meta.dirname, 'publicLog', 'page.ts'))
  // Web Cryptography needs a secure origin, which 127.0.0.1 is.
  const server = await serve((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><main></main>'),
  )
  const browser = await launchBrowser()
  const costs: BrowserCost[] = []
  try {
    for (let i = 0; i < pages; i++) {
      const page = await browser.newPage()
      await page.goto(server.url)
      await page.addScriptTag({ content: code })
      costs.push(await page.evaluate((given) => globalThis.logBench.check(given), input))
      await page.close()
    }
  } finally {
    await browser.close()
    server.close()
  }
  if (costs.some(({ holds }) => !holds)) throw new Error('the browser did not find that the log holds')
  const inclusion = median(costs.map(({ inclusionMs }) => inclusionMs))
  const consistency = median(costs.map(({ consistencyMs }) => consistencyMs))
  const path = input.proof.path.length
  const tiles = Object.keys(input.files).length - 1
  return [
    row(`Chromium: inclusion, ${path} hashes and 2 signatures`, inclusion, 'ms', browserMaxMs),
    row(`Chromium: consistency with a day ago, ${tiles} tiles`, consistency, 'ms', browserMaxMs),
  ]
}

/** The command as a process. */
async function verifyS(folder: string): Promise<number> {
  const command = join(import.meta.dirname, '../../packages/uptick/src/cli/main.ts')
  const started = performance.now()
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    command,
    'verify',
    '--tiles',
    folder,
    '--log',
    logKeys.logKey,
  ])
  if (!stdout.startsWith(`holds: ${leaves} leaves`)) throw new Error(stdout)
  return (performance.now() - started) / 1000
}
