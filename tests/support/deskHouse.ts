import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Assets, LoginAnswer } from '../../contract/session.ts'
import type { UploadPurpose } from '../../contract/wallet.ts'
import { buildVenue } from '../../server/app.ts'
import { readSettings } from '../../server/config.ts'
import type { Settings } from '../../server/config.ts'
import type { Database } from '../../server/db/open.ts'
import { createLocalEngine } from '../../server/engine/localEngine.ts'
import { createFront } from '../../server/http/front.ts'
import { manualClock } from './clock.ts'
import { call, guest } from './house.ts'
import type { Guest, Reply } from './house.ts'
import { openMarket, walking } from './marketRoom.ts'
import { seededRandom } from './random.ts'
import { bankMethod, photo, sendFile } from './walletHouse.ts'
import { testFence } from './fence.ts'

export const deskKey = 'desk-key-for-tests-alone'
export const loginPassword = 'correct horse 7'
export const transactionPassword = '482913'

type Method = 'GET' | 'POST'
type DeskCall = { body?: unknown; as?: string | null; headers?: Record<string, string>; remote?: string }

/**
 * The whole venue as it is built, on a test database and a port of the machine's choice, with two products. Live mode
 * as far as its settings go: the desk decides deposits there, and opening codes come from it.
 */
export async function openDeskHouse(
  database: Database,
  { live = false, ...change }: Partial<Settings> & { live?: boolean } = {},
) {
  const clock = manualClock()
  const random = seededRandom(7)
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-desk-'))
  await writeFile(join(dataDir, 'desk.key'), `${deskKey}\n`, { mode: 0o600 })
  const market = await openMarket(database.db, clock, [walking('BTCUSDT', 2), walking('XAUUSD', 2, 3)])
  const defaults = readSettings({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' })
  const settings: Settings = {
    ...defaults,
    mode: live ? 'live' : 'practice',
    openingCode: live ? null : 'UPTICK',
    site: { ...defaults.site, depositMethods: [bankMethod] },
    ...change,
  }
  const front = createFront(clock, { finishMs: 100 })
  const { port } = await front.listen(0, '127.0.0.1')
  const secrets = { deskKey, idempotencyKey: random.bytes(32), uploadKey: random.bytes(32) }
  const logger = pino({ level: 'silent' })
  const report = (what: string, error: unknown): never => {
    throw new Error(what, { cause: error })
  }
  const fence = testFence
  const engine = createLocalEngine({ database, fence, clock, market, zone: settings.zone, report })
  const parts = { database, fence, clock, random, engine, settings, secrets, logger, front }
  const venue = await buildVenue({ ...parts, clientDir: join(dataDir, 'none') })
  const { app } = venue
  await clock.advance(1000)

  /** A call of the desk, with the right key and a name unless it says otherwise. */
  const desk = async <T = Record<string, never>>(
    method: Method,
    path: string,
    { body, as = 'mei', headers = {}, remote }: DeskCall = {},
  ): Promise<Reply<T>> => {
    const answer = await app.inject({
      method,
      url: `/desk${path}`,
      ...(remote !== undefined && { remoteAddress: remote }),
      headers: {
        authorization: `Bearer ${deskKey}`,
        ...(as !== null && { 'desk-actor': encodeURIComponent(as) }),
        ...headers,
      },
      ...(body !== undefined && { payload: body as object }),
    })
    const json = answer.headers['content-type']?.toString().startsWith('application/json') === true
    const parsed = json && answer.body !== '' ? JSON.parse(answer.body) : undefined
    return {
      status: answer.statusCode,
      body: parsed as T,
      code: parsed?.error?.code,
      fields: parsed?.error?.fields,
      params: parsed?.error?.params,
      replayed: false,
      text: answer.body,
      headers: answer.headers,
    }
  }

  let members = 0
  /** A member who registered and logged in by the calls of the contract. */
  const enrol = async (openingCode?: string): Promise<Guest & { account: string; phone: string }> => {
    members += 1
    const account = `guest${String(members).padStart(3, '0')}`
    const phone = `1381234${String(5000 + members)}`
    const code = openingCode ?? (live ? await issue() : 'UPTICK')
    const checked = await call<{ registerToken: string }>(app, 'POST', '/auth/register/check', {
      body: { account, phone, openingCode: code },
    })
    if (checked.status !== 200) throw new Error(checked.text)
    await call(app, 'POST', '/auth/register', {
      body: {
        registerToken: checked.body.registerToken,
        password: loginPassword,
        confirmPassword: loginPassword,
        transactionPassword,
        confirmTransactionPassword: transactionPassword,
      },
    })
    const login = await call<LoginAnswer>(app, 'POST', '/auth/login', {
      body: { account, password: loginPassword },
    })
    const sid = /sid=([^;]+)/.exec(String(login.headers['set-cookie']))?.[1] ?? ''
    const { token, user } = login.body
    return { ...guest(app, random, user.id, sid, token), account, phone }
  }
  const issue = async (): Promise<string> =>
    (await desk<{ code: string }>('POST', '/codes', { body: {} })).body.code

  const upload = async (member: Guest, purpose: UploadPurpose): Promise<string> => {
    const sent = await sendFile(app, member, { purpose, file: await photo() })
    if (sent.status !== 201) throw new Error(sent.text)
    return (sent.body as { uploadId: string }).uploadId
  }
  const submit = async (member: Guest): Promise<void> => {
    const sent = await member.send('POST', '/verification', {
      name: '王小明',
      idNumber: '110101199003074610',
      nationality: 'CN',
      frontUploadId: await upload(member, 'id_front'),
      backUploadId: await upload(member, 'id_back'),
    })
    if (sent.status !== 201) throw new Error(sent.text)
  }
  const assets = async (member: Guest): Promise<Assets> => (await member.get<Assets>('/me/assets')).body
  const close = async (): Promise<void> => {
    await venue.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { app, port, clock, database, dataDir, desk, enrol, issue, upload, submit, assets, close }
}
export type DeskHouse = Awaited<ReturnType<typeof openDeskHouse>>

export type ListOf<T> = { items: T[]; nextCursor: string | null }
