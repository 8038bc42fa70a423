import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import type { VenueConfig } from '../../contract/venueConfig.ts'
import { workKey } from '../../contract/solveWork.ts'
import { parseSignedReceipt } from '../../contract/signedReceipt.ts'
import { createSigner } from '../../server/market/publicLog/signer.ts'
import { logKeys } from '../support/sampleLog.ts'
import { placeOrder, runMarket, tickOnce } from '../support/orders.ts'
import { loginPassword } from '../support/testMembers.ts'
import type { TestVenue } from '../support/testVenue.ts'
import { withVenue } from '../support/withVenue.ts'
import { startUptick } from '../support/uptickCommand.ts'
import { withServer } from '../support/withServer.ts'

let url: string
let account: string
let member: Awaited<ReturnType<TestVenue['registerMember']>>
let logKey: string
const orderNos: string[] = []
const venue = await withVenue()
beforeAll(async () => {
  url = (await venue.listen()).url
  await venue.clock.advance(1)
  tickOnce(venue)
  member = await venue.registerMember()
  account = member.account
  for (let i = 0; i < 3; i++) {
    orderNos.unshift((await placeOrder(venue, member)).no)
    await runMarket(venue, 32_000, (at) => 10_000 + (at % 97))
  }
  await venue.clock.advance(5000)
  logKey = (await member.get<VenueConfig>('/config')).body.logKey ?? ''
})

/** The venue behind a server that answers some requests in its place; null: the venue's own answer. */
async function behind(answer: (path: string, own: () => Promise<string>) => Promise<Response | null>) {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const { cookie = '', 'x-csrf-token': csrf = '' } = request.headers
    const headers: Record<string, string> = {
      cookie,
      'X-CSRF-Token': String(csrf),
      'Content-Type': 'application/json',
    }
    const body = request.method === 'POST' && parts.length > 0 ? Buffer.concat(parts) : null
    if (body === null) delete headers['Content-Type']
    const forward = () => fetch(`${url}${request.url}`, { method: request.method!, headers, body })
    const own = (await answer(request.url!, async () => (await forward()).text())) ?? (await forward())
    for (const name of ['content-type', 'set-cookie', 'retry-after']) {
      const value = own.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    response.writeHead(own.status).end(Buffer.from(await own.arrayBuffer()))
  }
  return (await withServer((request, response) => void respond(request, response))).url
}
const verify = (address: string, args: string[] = [], password = loginPassword) =>
  startUptick(['verify', '--venue', address, '--account', account, ...args], { UPTICK_PASSWORD: password })
    .ended
const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } })
const isProof = (path: string) => path.endsWith('/proof')

describe('uptick verify of a member’s orders', () => {
  it('says that each holds, also in the public log, and logs out', async () => {
    const sessions = async () => (await member.get<unknown[]>('/auth/sessions')).body.length
    const before = await sessions()
    const [plain, logged, newest] = await Promise.all([
      verify(url),
      verify(url, ['--log', logKey]),
      verify(url, ['--limit', '2', '--json']),
    ])
    expect(plain).toMatchObject({ code: 0, err: '', out: `3 orders of ${account}: 3 hold, 0 refuted\n` })
    expect(logged).toMatchObject({ code: 0, err: '', out: plain.out })
    const lines = newest.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map((line) => [line['orderNo'], line['kind']])).toEqual(
      orderNos.slice(0, 2).map((no) => [no, 'holds']),
    )
    expect(await sessions()).toBe(before)
  })

  it('takes the password from the input', async () => {
    const { child, ended } = startUptick(['verify', '--venue', url, '--account', account])
    child.stdin.end(`${loginPassword}\n`)
    expect(await ended).toMatchObject({ code: 0, err: '' })
    const none = startUptick(['verify', '--venue', url, '--account', account])
    none.child.stdin.end()
    expect(await none.ended).toMatchObject({ code: 2, out: '' })
  })

  it('names the orders that a venue changed, in their proofs or in the list', async () => {
    let proofs = 0
    const lying = await behind(async (path, own) => {
      if (!isProof(path) || proofs++ > 0) return null
      return json((await own()).replace(/"ticks":\[\[(\d+),(\d+),"[\d.]+"/, '"ticks":[[$1,$2,"99.99"'))
    })
    const listing = await behind(async (path, own) =>
      path.includes('tab=closed') ? json((await own()).replace(/"pnl":"[^"]+"/, '"pnl":"1.23"')) : null,
    )
    const [changed, listed, otherLog] = await Promise.all([
      verify(lying),
      verify(listing),
      verify(url, ['--log', logKeys.logKey]),
    ])
    expect(changed).toMatchObject({ code: 1, err: '' })
    expect(changed.out).toMatch(new RegExp(`^refuted: order ${orderNos[0]}, step "chain"\n`))
    expect(changed.out).toContain(': 2 hold, 1 refuted')
    expect(listed.out).toContain('why: the order in the proof is not the one in the list\n  differs: ["pnl"]')
    expect(listed).toMatchObject({ code: 1 })
    expect(otherLog.out).toContain(': 0 hold, 3 refuted')
  })

  it('refutes orders whose receipt another key than the venue’s has signed', async () => {
    const throwAway = createSigner(new Uint8Array(32).fill(99))
    const denying = await behind(async (path, own) => {
      if (!isProof(path)) return null
      const proof = JSON.parse(await own()) as { receipt: string }
      const { receipt } = parseSignedReceipt(proof.receipt)!
      return json(JSON.stringify({ ...proof, receipt: throwAway.signReceipts(receipt.origin, [receipt])[0] }))
    })
    const found = await verify(denying)
    expect(found).toMatchObject({ code: 1, err: '' })
    expect(found.out).toContain(`refuted: order ${orderNos[0]}, step "receipt"\n`)
    expect(found.out).toContain("signed by a key that is not the venue's")
    expect(found.out).toContain(': 0 hold, 3 refuted')
  })

  it('does the work that a venue asks for before a log-in', async () => {
    const easy = { salt: '00'.repeat(16), cost: 2, blockSize: 1 }
    const key = workKey(easy, 9)
    const work = {
      ...easy,
      id: 'w',
      expiresAt: 9e12,
      algorithm: 'scrypt',
      target: key.slice(0, 32),
      tries: 16,
    }
    const asks = JSON.stringify({ error: { code: 'WORK_REQUIRED', params: { work }, requestId: 'r' } })
    let logIns = 0
    const asking = await behind(async (path) =>
      path.includes('/auth/login') && logIns++ === 0
        ? new Response(asks, { status: 422, headers: { 'content-type': 'application/json' } })
        : null,
    )
    expect(await verify(asking)).toMatchObject({ code: 0, err: '' })
    expect(logIns).toBe(2)
  })

  it('waits as long as the venue asks, and says what it cannot check', async () => {
    let busy = 0
    const limited = JSON.stringify({
      error: { code: 'RATE_LIMITED', params: { retryAfterMs: 1 }, requestId: 'r' },
    })
    const slow = await behind(async (path) =>
      isProof(path) && busy++ < 3
        ? new Response(limited, { status: 429, headers: { 'content-type': 'application/json' } })
        : null,
    )
    const silent = await behind(async (path) =>
      isProof(path) ? new Response('<html>', { status: 502 }) : null,
    )
    const damage = JSON.stringify({
      error: { code: 'LOG_DAMAGED', params: { place: 'FAST:1' }, requestId: 'r' },
    })
    const damaged = await behind(async (path) =>
      isProof(path)
        ? new Response(damage, { status: 500, headers: { 'content-type': 'application/json' } })
        : null,
    )
    const [waited, unproved, unreadable] = await Promise.all([verify(slow), verify(silent), verify(damaged)])
    expect(unreadable).toMatchObject({ code: 2 })
    expect(unreadable.err).toContain('no proof: the venue’s tick log is damaged at FAST:1')
    expect(waited).toMatchObject({ code: 0, err: '' })
    expect(busy).toBeGreaterThan(3)
    expect(unproved).toMatchObject({ code: 2 })
    expect(unproved.err).toContain(`order ${orderNos[0]} cannot be checked: no proof`)
    expect(unproved.out).toContain('0 hold, 0 refuted, 3 cannot be checked')
  })

  it('says why a member is not logged in, and which arguments are missing', async () => {
    const nonsense = await withServer((_request, response) => response.end('<html>'))
    const cut = await withServer((request, response) => {
      if (request.url?.endsWith('/config')) return response.end('{}')
      return response.writeHead(200, { 'content-length': '100' }).write('{"id":', () => response.destroy())
    })
    const wrong = await verify(url, [], 'another password 7')
    expect(wrong).toMatchObject({ code: 2, out: '' })
    expect(wrong.err).toContain('account or password is wrong')
    const others = await Promise.all([
      verify(nonsense.url),
      verify(cut.url),
      verify(url, ['--limit', '0']),
      verify(url, ['--heads', 'heads.json']),
      verify(url, ['proof.json']),
    ])
    for (const each of others) expect(each).toMatchObject({ code: 2, out: '' })
    expect(others[0].err).toContain('is it a venue?')
    expect(others[1].err).toContain('/auth/login: the answer breaks off')
  })
})
