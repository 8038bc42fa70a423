import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import type { Minor } from '../../contract/brand.ts'
import { china } from '../../contract/phones.ts'
import type { UploadPurpose } from '../../contract/uploads.ts'
import type { Database } from '../../server/db/open.ts'
import { member } from '../../server/db/schema/member.ts'
import { createMessages } from '../../server/messages/messages.ts'
import { createPasswordGuard } from '../../server/members/passwordGuard.ts'
import { composeModules } from '../../server/module.ts'
import { createPasswordRequests } from '../../server/members/passwordRequests.ts'
import { createAudit } from '../../server/audit/audit.ts'
import { createUploads } from '../../server/uploads/uploads.ts'
import { createVerifications } from '../../server/verification/verification.ts'
import { createWallet } from '../../server/wallet/wallet.ts'
import type { DepositMethodSetting } from '../../server/wallet/depositMethodSetting.ts'
import { openTestVenue } from './testVenue.ts'
import type { MemberClient, Reply } from './testVenue.ts'
import { testFence } from './testFence.ts'

export const bankMethod: DepositMethodSetting = {
  id: 'bank-1',
  kind: 'bank',
  currency: 'USD',
  instructions: { Bank: 'First Bank', Account: '001' },
  min: '10.00',
  max: '5000.00',
}
const coinMethod: DepositMethodSetting = { ...bankMethod, id: 'coin-1', kind: 'crypto', currency: 'USDT' }
export const transactionPassword = '482913'
export const loginPassword = 'correct horse 7'

type WalletVenueSettings = {
  live?: boolean
  passwordSelfService?: boolean
  uploadsFreeMinBytes?: number
  venue?: Parameters<typeof openTestVenue>[1]
}

/** The wallet's modules on top of a test venue, with uploads in a folder that is removed on close. */
export async function openWalletVenue(database: Database, settings: WalletVenueSettings = {}) {
  const venue = await openTestVenue(database, settings.venue)
  const { db, clock, random, business, bus, keys, ledger, limits, sessions } = venue
  const { passwords } = venue.members
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-wallet-'))
  const guard = createPasswordGuard({ db, clock, passwords })
  const core = {
    db,
    fence: testFence,
    clock,
    random,
    business,
    bus,
    idempotencyKeys: keys,
    ledger,
    audit: createAudit({ db, clock }),
    messages: createMessages({ db, fence: testFence, clock, random, bus }),
    secrets: { uploadKey: random.bytes(32) },
    settings: {
      mode: settings.live === true ? ('live' as const) : ('practice' as const),
      currency: 'USD',
      dataDir,
      uploadsFreeMinBytes: settings.uploadsFreeMinBytes ?? 0,
      operatorConfig: {
        depositMethods: [bankMethod, coinMethod],
        passwordSelfService: settings.passwordSelfService === true,
        phoneRules: [...(settings.venue?.phoneRules ?? [china])],
        rejectedPhotosKeptDays: 30,
      },
    },
  }
  const uploads = createUploads(core)
  const wallet = createWallet({ ...core, guard, selfLimits: limits, uploads })
  const verifications = createVerifications({ ...core, uploads })
  const { phones } = venue.members
  const passwordRequests = createPasswordRequests({ ...core, passwords, guard, phones, sessions })
  const modules = composeModules([uploads, wallet, verifications, limits, passwordRequests])
  modules.mount(venue.app)
  const hashes = {
    passwordHash: await passwords.hash(loginPassword, 'known'),
    transactionPasswordHash: await passwords.hash(transactionPassword, 'known'),
  }

  /** A member with real passwords. */
  const createMemberWithPassword = async (available?: Minor): Promise<MemberClient> => {
    const client = await venue.createMember(available)
    await db.update(member).set(hashes).where(eq(member.id, client.id))
    return client
  }
  /** A member who may withdraw: account bound, name verified. */
  const createVerifiedMember = async (available?: Minor): Promise<MemberClient> => {
    const client = await createMemberWithPassword(available)
    await client.send('POST', '/withdrawal-account', bankAccount)
    await db.update(member).set({ verification: 'verified' }).where(eq(member.id, client.id))
    return client
  }
  const upload = async (client: MemberClient, purpose: UploadPurpose, file?: Uint8Array): Promise<string> => {
    const reply = await uploadFile(venue.app, client, { purpose, file: file ?? (await photo()) })
    if (reply.status !== 201) throw new Error(`upload: ${reply.status} ${reply.text}`)
    return (reply.body as { uploadId: string }).uploadId
  }
  /** The sum of all postings of the venue, which is always 0. */
  const ledgerSum = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ sum: number }>(
      `SELECT coalesce(sum(available + held + stakes + fund + house + grants + external), 0)::bigint AS sum FROM posting`,
    )
    return rows[0]!.sum
  }
  const close = async (): Promise<void> => {
    await venue.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return {
    ...venue,
    ...wallet,
    wallet,
    audit: core.audit,
    uploads,
    verifications,
    passwordRequests,
    modules,
    guard,
    dataDir,
    createMemberWithPassword,
    createVerifiedMember,
    upload,
    ledgerSum,
    close,
  }
}
export type WalletVenue = Awaited<ReturnType<typeof openWalletVenue>>

export const bankAccount = {
  type: 'bank',
  accountName: 'Canary Accountname',
  nationality: 'CN',
  bank: 'First Bank',
  cardNumber: '6222 0212 3456 7890',
  accountAddress: '77 Canary Street, Shanghai',
}
export const coinAccount = {
  type: 'crypto',
  accountName: 'Canary Accountname',
  nationality: 'SG',
  currency: 'USDT',
  currencyAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
}

export const photo = (width = 64, height = 48): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#3366aa' } })
    .jpeg()
    .toBuffer()

type Part = { name: string; value: string | Uint8Array; filename?: string; type?: string }

/** Encodes a multipart form; written here so that tests can send broken ones. */
export function multipartForm(parts: readonly Part[], boundary = 'xUPTICKx'): { body: Buffer; type: string } {
  const chunks = parts.flatMap(({ name, value, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${kind}\r\n`
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]
  })
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { body, type: `multipart/form-data; boundary=${boundary}` }
}

type App = WalletVenue['app']
type UploadRequest = {
  purpose?: string
  file?: Uint8Array
  filename?: string
  type?: string
  parts?: readonly Part[]
}

export async function uploadFile(app: App, client: MemberClient, request: UploadRequest): Promise<Reply> {
  const { purpose, file, filename = 'photo.jpg', type = 'image/jpeg' } = request
  const { body, type: contentType } = multipartForm(
    request.parts ?? [
      ...(purpose === undefined ? [] : [{ name: 'purpose', value: purpose }]),
      ...(file === undefined ? [] : [{ name: 'file', value: file, filename, type }]),
    ],
  )
  const headers = { cookie: `sid=${client.sid}`, 'x-csrf-token': client.token, 'content-type': contentType }
  const answer = await app.inject({ method: 'POST', url: '/api/uploads', headers, payload: body })
  const parsed = answer.body === '' ? undefined : JSON.parse(answer.body)
  return {
    status: answer.statusCode,
    body: parsed,
    code: parsed?.error?.code,
    fields: parsed?.error?.fields,
    params: parsed?.error?.params,
    replayed: false,
    text: answer.body,
    headers: answer.headers,
  }
}
