import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Order } from '../../../../contract/orders.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import type { ListAnswer } from '../../../support/apiCalls.ts'
import { runMarket, tickOnce } from '../../../support/orders.ts'
import { photo } from '../../../support/uploads.ts'
import { withVenue } from '../../../support/withVenue.ts'

/** What `program.ts` exports; its own types come from the generated file. */
type Program = {
  register(url: string, openingCode: string): Promise<object>
  trade(client: object): Promise<Order>
  result(client: object, id: string): Promise<{ order: Order; csv: string }>
  verify(client: object, photo: Blob): Promise<void>
  withdraw(client: object, amount: string): Promise<Withdrawal | string>
}

const here = join(import.meta.dirname, '../../../client')
const root = join(import.meta.dirname, '../../../..')
const generator = join(here, 'node_modules/openapi-typescript/bin/cli.js')
const run = promisify(execFile)

let url: string
let folder: string
const venue = await withVenue()
beforeAll(async () => {
  url = (await venue.listen()).url
  folder = await mkdtemp(join(tmpdir(), 'uptick-client-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await copyFile(join(here, 'program.ts'), join(folder, 'program.ts'))
  const description = join(folder, 'openapi.json')
  await writeFile(description, (await venue.app.inject({ url: '/api/openapi.json' })).body)
  await run(process.execPath, [generator, description, '-o', join(folder, 'api.ts')])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const approveAll = async (kind: 'verifications' | 'withdrawals'): Promise<void> => {
  const { items } = (await venue.office<ListAnswer<{ id: string }>>('GET', `/${kind}`)).body
  for (const { id } of items) await venue.office('POST', `/${kind}/${id}/approve`, { body: {} })
}

it('a client generated from OpenAPI compiles, registers, trades and withdraws', async () => {
  const options = {
    compilerOptions: {
      target: 'ES2023',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      module: 'ESNext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    },
    files: ['program.ts'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [compiler, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')

  const program = (await import(pathToFileURL(join(folder, 'program.ts')).href)) as Program
  const client = await program.register(url, 'UPTICK')
  tickOnce(venue)
  const { id } = await program.trade(client)
  await runMarket(venue, 31_000, (at) => 10_000 + (at % 97))
  const { order, csv } = await program.result(client, id)
  expect(['won', 'lost', 'tied']).toContain(order.status)
  expect(csv).toContain(order.no)

  expect(await program.withdraw(client, '50.00')).toBe('not yet')
  await program.verify(client, new Blob([new Uint8Array(await photo())], { type: 'image/jpeg' }))
  await approveAll('verifications')
  expect(await program.withdraw(client, '900000.00')).toBe('not enough')
  const withdrawal = (await program.withdraw(client, '50.00')) as Withdrawal
  expect(withdrawal).toMatchObject({ amount: '50.00', status: 'under_review' })
  await approveAll('withdrawals')
})
