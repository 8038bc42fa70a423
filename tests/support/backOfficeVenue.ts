import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Assets } from '../../contract/ledger.ts'
import type { LoginAnswer } from '../../contract/auth.ts'
import type { UploadPurpose } from '../../contract/uploads.ts'
import { buildVenue } from '../../server/app.ts'
import { readSettings } from '../../server/config.ts'
import type { Settings } from '../../server/config.ts'
import type { Database } from '../../server/db/open.ts'
import { createLocalEngine } from '../../server/engine/localEngine.ts'
import { createPasswords } from '../../server/members/passwords.ts'
import { createListener } from '../../server/http/listener.ts'
import { manualClock } from './manualClock.ts'
import { call, memberClient } from './testVenue.ts'
import type { MemberClient, Reply } from './testVenue.ts'
import { openMarket, syntheticProduct } from './marketFixtures.ts'
import { seededRandom } from './random.ts'
import { bankMethod, photo, uploadFile } from './walletVenue.ts'
import { testFence } from './testFence.ts'

export const backOfficeKey = 'desk-key-for-tests-alone'
export const loginPassword = 'correct horse 7'
export const transactionPassword = '482913'

type Method = 'GET' | 'POST'
type BackOfficeCall = {
  body?: unknown
  as?: string | null
  headers?: Record<string, string>
  remote?: string
}

/**
 * The whole venue as production builds it, on a test database and a free port, with two products. `live` turns on the
 * settings of live mode: the back office decides deposits and issues opening codes.
 */
export async function openBackOfficeVenue(
  database: Database,
  { live = false, ...change }: Partial<Settings> & { live?: boolean } = {},
) {
  const clock = manualClock()
  const random = seededRandom(7)
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-desk-'))
  await writeFile(join(dataDir, 'desk.key'), `${backOfficeKey}\n`, { mode: 0o600 })
  const market = await openMarket(database.db, clock, [
    syntheticProduct('BTCUSDT', 2),
    syntheticProduct('XAUUSD', 2, 3),
  ])
  const defaults = readSettings({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' })
  const settings: Settings = {
    ...defaults,
    mode: live ? 'live' : 'practice',
    openingCode: live ? null : 'UPTICK',
    operatorConfig: { ...defaults.operatorConfig, depositMethods: [bankMethod] },
    ...change,
  }
  const listener = createListener(clock, { gracePeriodMs: 100 })
  const { port } = await listener.listen(0, '127.0.0.1')
  const secrets = { backOfficeKey, idempotencyKey: random.bytes(32), uploadKey: random.bytes(32) }
  const logger = pino({ level: 'silent' })
  const report = (what: string, error: unknown): never => {
    throw new Error(what, { cause: error })
  }
  const fence = testFence
  const engine = createLocalEngine({ database, fence, clock, market, zone: settings.zone, report })
  const passwords = await createPasswords(random)
  const parts = { database, fence, clock, random, passwords, engine, settings, secrets, logger, listener }
  const venue = await buildVenue({ ...parts, clientDir: join(dataDir, 'none') })
  const { app } = venue
  await clock.advance(1000)

  /** A back-office request, with the right key and an actor name unless the options say otherwise. */
  const backOffice = async <T = Record<string, never>>(
    method: Method,
    path: string,
    { body, as: actor = 'mei', headers = {}, remote }: BackOfficeCall = {},
  ): Promise<Reply<T>> => {
    const answer = await app.inject({
      method,
      url: `/desk${path}`,
      ...(remote !== undefined && { remoteAddress: remote }),
      headers: {
        authorization: `Bearer ${backOfficeKey}`,
        ...(actor !== null && { 'desk-actor': encodeURIComponent(actor) }),
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
  /** A member who registered and logged in over the contract's routes. */
  const registerMember = async (
    openingCode?: string,
  ): Promise<MemberClient & { account: string; phone: string }> => {
    members += 1
    const account = `guest${String(members).padStart(3, '0')}`
    const phone = `1381234${String(5000 + members)}`
    const code = openingCode ?? (live ? await issueOpeningCode() : 'UPTICK')
    const check = await call<{ registerToken: string }>(app, 'POST', '/auth/register/check', {
      body: { account, phone, openingCode: code },
    })
    if (check.status !== 200) throw new Error(check.text)
    await call(app, 'POST', '/auth/register', {
      body: {
        registerToken: check.body.registerToken,
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
    return { ...memberClient(app, random, user.id, sid, token), account, phone }
  }
  const issueOpeningCode = async (): Promise<string> =>
    (await backOffice<{ code: string }>('POST', '/codes', { body: {} })).body.code

  const upload = async (member: MemberClient, purpose: UploadPurpose): Promise<string> => {
    const reply = await uploadFile(app, member, { purpose, file: await photo() })
    if (reply.status !== 201) throw new Error(reply.text)
    return (reply.body as { uploadId: string }).uploadId
  }
  const submitVerification = async (member: MemberClient): Promise<void> => {
    const reply = await member.send('POST', '/verification', {
      name: '王小明',
      idNumber: '110101199003074610',
      nationality: 'CN',
      frontUploadId: await upload(member, 'id_front'),
      backUploadId: await upload(member, 'id_back'),
    })
    if (reply.status !== 201) throw new Error(reply.text)
  }
  const assets = async (member: MemberClient): Promise<Assets> =>
    (await member.get<Assets>('/me/assets')).body
  const close = async (): Promise<void> => {
    await venue.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return {
    app,
    port,
    clock,
    database,
    dataDir,
    backOffice,
    registerMember,
    issueOpeningCode,
    upload,
    submitVerification,
    assets,
    close,
  }
}
export type BackOfficeVenue = Awaited<ReturnType<typeof openBackOfficeVenue>>

export type ListAnswer<T> = { items: T[]; nextCursor: string | null }
