import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Order } from '../../contract/orders.ts'
import { openTrader, rateBp, seconds, tradedProduct } from '../scenarios/kill/trader.ts'
import { nodeFlags, startVenue } from '../support/venueProcess.ts'
import { serverBundle } from '../support/serverBundle.ts'

const run = promisify(execFile)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptick-node-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

/** Fetches a version of Node from npm's registry, without the package whose install script would choose this one. */
async function fetchNode(version: string): Promise<string> {
  const name = `node-${platform()}-${arch()}`
  const prefix = join(folder, version)
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', prefix]
  await run('npm', ['install', ...options, `${name}@${version}`], { cwd: folder }).catch((error: unknown) => {
    throw new Error(`${name}@${version} cannot be fetched from npm's registry`, { cause: error })
  })
  return join(prefix, 'node_modules', name, 'bin/node')
}

/** The oldest that package.json accepts, and the later ones that are supported for long. */
it.each(['20.19', '22', '24'])('a venue starts, trades and stops with Node %s', async (version) => {
  const program = await fetchNode(version)
  expect((await run(program, ['--version'])).stdout).toMatch(new RegExp(`^v${version}\\.`))
  const productsFile = join(folder, 'products.json')
  await writeFile(productsFile, JSON.stringify([tradedProduct]))
  const dataDir = join(folder, `data-${version}`)
  const env = { DATA_DIR: dataDir, PRODUCTS_FILE: productsFile, LOG_LEVEL: 'error' }
  const venue = startVenue([join(serverBundle(), 'main.js')], env, nodeFlags, program)
  const trader = await openTrader(await venue.ready, 'trader_1', '13800000001')
  const place = async () => {
    const validUntil = Date.now() + 20_000
    const order = { productId: 'TEST', direction: 'up', amount: '1.00', seconds, rateBp, validUntil }
    return (await trader.client().postWithKey<Order>('/api/orders', order)).body
  }
  let id: string | undefined
  await expect.poll(async () => (id = (await place()).id)).toBeDefined()
  const isSettled = async (): Promise<boolean> =>
    (await trader.client().get<Order>(`/api/orders/${id ?? ''}`)).body.payout !== null
  await expect.poll(isSettled).toBe(true)
  await venue.end('SIGTERM')
  expect(await venue.exited, venue.output()).toBe(0)
})
