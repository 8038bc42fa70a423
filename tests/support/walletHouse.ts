import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import type { Minor } from '../../contract/brand.ts'
import { china } from '../../contract/phones.ts'
import type { UploadPurpose } from '../../contract/wallet.ts'
import type { Database } from '../../server/db/open.ts'
import { member } from '../../server/db/schema/member.ts'
import { createMessages } from '../../server/messages/messages.ts'
import { createPasswordGuard } from '../../server/members/passwordGuard.ts'
import { createWallet } from '../../server/wallet/wallet.ts'
import type { DepositMethodSetting } from '../../server/wallet/depositMethods.ts'
import { openHouse } from './house.ts'
import type { Guest, Reply } from './house.ts'
import { testFence } from './fence.ts'

export const bankMethod: DepositMethodSetting = {
  id: 'bank-1',
  kind: 'bank',
  currency: 'USD',
  instructions: { Bank: 'First Bank', Account: '001' },
  min: '10.00',
  max: '5000.00',
}
export const transactionPassword = '482913'
export const loginPassword = 'correct horse 7'

type WalletSettings = {
  live?: boolean
  passwordSelfService?: boolean
  uploadsFreeMinBytes?: number
  house?: Parameters<typeof openHouse>[1]
}

/** The rooms of the wallet on top of the members' ones, with uploads in a folder that goes when it closes. */
export async function openWalletHouse(database: Database, settings: WalletSettings = {}) {
  const house = await openHouse(database, settings.house)
  const { db, clock, random, business, bus, keys, ledger, limits, sessions } = house
  const { passwords } = house.members
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-wallet-'))
  const guard = createPasswordGuard({ db, clock, passwords })
  const messages = createMessages({ db, clock, random, bus })
  const wallet = createWallet({
    db,
    fence: testFence,
    clock,
    random,
    business,
    bus,
    keys,
    ledger,
    limits,
    sessions,
    passwords,
    guard,
    messages,
    memberSecret: house.secret,
    uploadKey: random.bytes(32),
    dataDir,
    settings: {
      practice: settings.live !== true,
      currency: 'USD',
      depositMethods: [bankMethod, { ...bankMethod, id: 'coin-1', kind: 'crypto', currency: 'USDT' }],
      passwordSelfService: settings.passwordSelfService === true,
      phoneRules: settings.house?.phoneRules ?? [china],
      rejectedPhotosKeptDays: 30,
      uploadsFreeMinBytes: settings.uploadsFreeMinBytes ?? 0,
    },
  })
  wallet.mount(house.app)
  const hashes = {
    passwordHash: await passwords.hash(loginPassword, 'known'),
    transactionPasswordHash: await passwords.hash(transactionPassword, 'known'),
  }

  /** A member with real passwords. */
  const enrol = async (available?: Minor): Promise<Guest> => {
    const guest = await house.join(available)
    await db.update(member).set(hashes).where(eq(member.id, guest.id))
    return guest
  }
  /** A member who may withdraw: account bound, name verified. */
  const enrolVerified = async (available?: Minor): Promise<Guest> => {
    const guest = await enrol(available)
    await guest.send('POST', '/withdrawal-account', bankAccount)
    await db.update(member).set({ verification: 'verified' }).where(eq(member.id, guest.id))
    return guest
  }
  const upload = async (guest: Guest, purpose: UploadPurpose, file?: Uint8Array): Promise<string> => {
    const reply = await sendFile(house.app, guest, { purpose, file: file ?? (await photo()) })
    if (reply.status !== 201) throw new Error(`upload: ${reply.status} ${reply.text}`)
    return (reply.body as { uploadId: string }).uploadId
  }
  /** What the venue's books come to, over all members: 0, always. */
  const booksSum = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ sum: number }>(
      `SELECT coalesce(sum(available + held + stakes + fund + house + grants + external), 0)::bigint AS sum FROM posting`,
    )
    return rows[0]!.sum
  }
  const close = async (): Promise<void> => {
    await house.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { ...house, ...wallet, wallet, guard, dataDir, enrol, enrolVerified, upload, booksSum, close }
}
export type WalletHouse = Awaited<ReturnType<typeof openWalletHouse>>

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

/** The body of a form, written out by hand so that tests can send broken ones. */
export function form(parts: readonly Part[], boundary = 'xUPTICKx'): { body: Buffer; type: string } {
  const chunks = parts.flatMap(({ name, value, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${kind}\r\n`
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]
  })
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { body, type: `multipart/form-data; boundary=${boundary}` }
}

type App = WalletHouse['app']
type Sent = { purpose?: string; file?: Uint8Array; filename?: string; type?: string; parts?: readonly Part[] }

export async function sendFile(app: App, guest: Guest, sent: Sent): Promise<Reply> {
  const { purpose, file, filename = 'photo.jpg', type = 'image/jpeg' } = sent
  const { body, type: contentType } = form(
    sent.parts ?? [
      ...(purpose === undefined ? [] : [{ name: 'purpose', value: purpose }]),
      ...(file === undefined ? [] : [{ name: 'file', value: file, filename, type }]),
    ],
  )
  const headers = { cookie: `sid=${guest.sid}`, 'x-csrf-token': guest.token, 'content-type': contentType }
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
