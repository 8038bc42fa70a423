import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { LoginAnswer } from '../../contract/auth.ts'
import { minor, type Minor } from '../../contract/units.ts'
import type { Assets } from '../../contract/ledger.ts'
import type { UploadPurpose } from '../../contract/uploads.ts'
import type { Db } from '../../server/platform/db/database.ts'
import { member } from '../../server/platform/db/schema.ts'
import { transactionOf, type Ledger } from '../../server/money/ledger/ledger.ts'
import type { Passwords } from '../../server/members/accounts/passwords.ts'
import type { Sessions } from '../../server/members/accounts/sessions.ts'
import type { Clock, Random } from '../../server/platform/ports.ts'
import { call, memberClient, type MemberClient } from './apiCalls.ts'
import { bankAccount, transactionPassword } from './payments.ts'
import { photo, uploadFile } from './uploads.ts'

export const practiceBalance = minor(1_000_000)
export const loginPassword = 'correct horse 7'
export { transactionPassword }

type Parts = {
  app: FastifyInstance
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  ledger: Ledger
  sessions: Sessions
  passwords: Passwords
  openingCode: () => Promise<string>
}

/** The ways in which a test gets a member of a test venue. All have the passwords above. */
export function createTestMembers({
  app,
  db,
  clock,
  random,
  ledger,
  sessions,
  passwords,
  openingCode,
}: Parts) {
  let hashes: { passwordHash: string; transactionPasswordHash: string } | null = null
  let registered = 0

  /** The client of a member who joined before a restart, or in another process of the venue. */
  const clientOf = (of: { id: string; sid: string; token: string }): MemberClient =>
    memberClient(app, random, of)
  /** A member's client with a new session. */
  const openSession = async (id: string): Promise<MemberClient> =>
    clientOf({ id, ...(await sessions.open(id, { device: 'Test', ip: '127.0.0.1' })) })

  /** A member with a balance and a session, without the requests of a registration. */
  const createMember = async (available: Minor = practiceBalance): Promise<MemberClient> => {
    hashes ??= {
      passwordHash: await passwords.hash(loginPassword, 'known'),
      transactionPasswordHash: await passwords.hash(transactionPassword, 'known'),
    }
    const id = random.uuid()
    const account = `m${Buffer.from(random.bytes(5)).toString('hex')}`
    const values = {
      id,
      account,
      nickname: account,
      openingCode: Buffer.from(random.bytes(4)).toString('hex').toUpperCase(),
      openedWith: 'TEST',
      createdAt: clock.now(),
      phoneHash: id,
      phoneMasked: '138****0000',
      phoneSealed: new Uint8Array(),
      ...hashes,
    }
    await db.transaction(async (tx) => {
      await tx.insert(member).values(values)
      await ledger.openBalance(tx, id)
      if (available > 0) await ledger.post(tx, transactionOf('grant', id, available))
    })
    return openSession(id)
  }

  /** A member who may withdraw: account bound, name verified. */
  const createVerifiedMember = async (available?: Minor): Promise<MemberClient> => {
    const client = await createMember(available)
    await client.send('POST', '/withdrawal-account', bankAccount)
    await db.update(member).set({ verification: 'verified' }).where(eq(member.id, client.id))
    return client
  }

  /** A member who registered and logged in over the contract's routes. */
  const registerMember = async (
    code?: string,
    ownPhone?: string,
  ): Promise<MemberClient & { account: string; phone: string }> => {
    registered += 1
    const account = `guest${String(registered).padStart(3, '0')}`
    const phone = ownPhone ?? `1381234${String(5000 + registered)}`
    const check = await call<{ registerToken: string }>(app, 'POST', '/auth/register/check', {
      body: { account, phone, openingCode: code ?? (await openingCode()) },
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
    return { ...clientOf({ id: user.id, sid, token }), account, phone }
  }

  /** Uploads a picture; returns its id. */
  const upload = async (client: MemberClient, purpose: UploadPurpose, file?: Uint8Array): Promise<string> => {
    const reply = await uploadFile(app, client, { purpose, file: file ?? (await photo()) })
    if (reply.status !== 201) throw new Error(`upload: ${reply.status} ${reply.text}`)
    return (reply.body as { uploadId: string }).uploadId
  }
  const submitVerification = async (client: MemberClient): Promise<void> => {
    const reply = await client.send('POST', '/verification', {
      name: '王小明',
      idNumber: '110101199003074610',
      nationality: 'CN',
      frontUploadId: await upload(client, 'id_front'),
      backUploadId: await upload(client, 'id_back'),
    })
    if (reply.status !== 201) throw new Error(reply.text)
  }
  const assetsOf = async (client: MemberClient): Promise<Assets> =>
    (await client.get<Assets>('/me/assets')).body
  return {
    clientOf,
    openSession,
    createMember,
    createVerifiedMember,
    registerMember,
    upload,
    submitVerification,
    assetsOf,
  }
}
