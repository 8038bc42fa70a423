import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { routes } from '../../../contract/routes.ts'
import type { Route } from '../../../contract/route.ts'
import { registerMember, blackBoxClient, type BlackBoxClient } from '../../support/blackBoxClient.ts'
import { scratchFolder } from '../../support/wholeVenue.ts'
import { deskKey } from '../../e2e/officeCalls.ts'
import { startVenue } from '../../support/venueProcess.ts'

/**
 * One value for each personal field that only its member and, if needed, the office may read. Fields that may be
 * plain text in the database: the account, because it is the login name and is searched for; the nickname, because it
 * is chosen to be shown; device and address of a session, because they show the member who is logged in and are deleted
 * with the session.
 */
export const canaries = {
  phone: '13987612345',
  password: 'Canary-Horse-77!',
  transactionPassword: '918273',
  name: 'Canaria Verity',
  idNumber: 'CANARY9981X',
  accountName: 'Canaria Payee',
  bank: 'Bank of Canaries',
  cardNumber: '6222987654321098',
  accountAddress: '99 Canary Wharf Lane',
  contactEmail: 'canary.box@example.com',
  memberMessage: 'My canary sings at midnight',
  officeReply: 'We heard your canary sing',
  camera: 'CanaryCam 9000',
} as const
export type Canary = keyof typeof canaries

export type CanaryReport = { searched: number; found: string[] }

/**
 * Sends every canary to a venue in its own process with full logging, to the right fields and to wrong places. Then
 * searches its log, its answers to others, and every file of its data folder.
 * @param main the bundled venue's `main.js`
 */
export async function searchCanaries(main: string): Promise<CanaryReport> {
  const folder = await scratchFolder()
  const report: CanaryReport = { searched: 0, found: [] }
  const venue = startVenue([main], {
    DATA_DIR: folder.path,
    PRODUCTS_FILE: 'tests/e2e/products.json',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'trace',
    DESK_KEY: deskKey,
  })
  try {
    const url = await venue.ready
    await submitCanaries(url)
    await fetchAsOthers(url, report)
  } finally {
    await venue.end('SIGTERM')
  }
  search('the log', Buffer.from(venue.output()), report)
  for (const entry of await readdir(folder.path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    search(`file ${path.slice(folder.path.length)}`, await readFile(path), report)
  }
  await folder.remove()
  return report
}

/** Searches for the common encodings of each canary; skips six digits in files, where they occur by chance. */
export function search(where: string, bytes: Buffer, report: CanaryReport): void {
  report.searched += 1
  for (const [field, value] of Object.entries(canaries)) {
    if (field === 'transactionPassword' && where.startsWith('file')) continue
    const text = Buffer.from(value)
    const base64 = text.toString('base64').slice(0, -4)
    const forms = [
      text,
      Buffer.from(value, 'utf16le'),
      text.toString('hex'),
      base64,
      encodeURIComponent(value),
    ]
    if (forms.some((form) => bytes.includes(form))) report.found.push(`${field} in ${where}`)
  }
}

/** Sends each canary to its own field, and then to every place where it does not belong. */
export async function submitCanaries(url: string): Promise<void> {
  const { phone, password, transactionPassword } = canaries
  const visitor = blackBoxClient(url)
  const check = await visitor.call<{ registerToken: string }>('POST', '/api/auth/register/check', {
    body: { account: 'confider_1', phone, openingCode: 'UPTICK' },
  })
  const passwords = {
    password,
    confirmPassword: password,
    transactionPassword,
    confirmTransactionPassword: transactionPassword,
  }
  await visitor.call('POST', '/api/auth/register', {
    body: { registerToken: check.body.registerToken, ...passwords },
  })
  const login = await visitor.login('confider_1', password)
  if (login.status !== 200) throw new Error(login.text)
  await submitMemberData(url, visitor)
  for (const value of Object.values(canaries)) {
    const text = encodeURIComponent(value)
    await visitor.get(`/api/orders/${text}`)
    await visitor.get(`/api/products?q=${text}`)
    await visitor.get(`/${text}?${text}`)
    await visitor.call('POST', '/api/orders', {
      body: { productId: value, amount: value },
      key: crypto.randomUUID(),
    })
    await visitor.call('POST', '/api/auth/login', {
      body: `{"account":"${value}",`,
      headers: { 'user-agent': value },
    })
    await visitor.call('POST', '/api/client-errors', {
      body: { kind: 'other', resource: value, build: value.slice(0, 60) },
    })
  }
}

async function submitMemberData(url: string, member: BlackBoxClient): Promise<void> {
  const { name, idNumber, accountName, bank, cardNumber, accountAddress, contactEmail, password } = canaries
  const accepted = async (answer: Promise<{ status: number; text: string }>): Promise<void> => {
    const { status, text } = await answer
    if (status >= 300) throw new Error(text)
  }
  await accepted(member.call('PATCH', '/api/me', { body: { contactEmail, password } }))
  await accepted(member.call('POST', '/api/service/messages', { body: { body: canaries.memberMessage } }))
  const { transactionPassword } = canaries
  const details = { type: 'bank', accountName, nationality: 'CN', bank, cardNumber, accountAddress }
  const account = { ...details, transactionPassword }
  await accepted(member.call('POST', '/api/withdrawal-account', { body: account }))
  const [frontUploadId, backUploadId] = [
    await uploadPhoto(url, member, 'id_front'),
    await uploadPhoto(url, member, 'id_back'),
  ]
  const person = { name, idNumber, nationality: 'SG', frontUploadId, backUploadId }
  await accepted(member.call('POST', '/api/verification', { body: person }))
  const office = async (path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${deskKey}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/desk${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  await office('/service/confider_1', { body: canaries.officeReply })
  await office('/verifications/confider_1/approve', {})
  await accepted(member.postWithKey('/api/withdrawals', { amount: '10.00', transactionPassword }))
  const change = { kind: 'login', oldPassword: canaries.password, newPassword: `${canaries.password}x` }
  await accepted(
    member.call('POST', '/api/auth/password-requests', {
      body: { ...change, confirmPassword: change.newPassword },
    }),
  )
}

/** Uploads a photo whose metadata names the camera. */
async function uploadPhoto(url: string, member: BlackBoxClient, purpose: string): Promise<string> {
  const file = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#9ab' } })
    .withExif({ IFD0: { Make: canaries.camera } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('purpose', purpose)
  form.set('file', new Blob([new Uint8Array(file)]), 'a.jpg')
  const { cookie, token } = member.session
  const headers = { cookie, 'x-csrf-token': token }
  const answer = await fetch(`${url}/api/uploads`, { method: 'POST', body: form, headers })
  return ((await answer.json()) as { uploadId: string }).uploadId
}

/** Requests every route without an id, as another member and as a visitor. */
async function fetchAsOthers(url: string, report: CanaryReport): Promise<void> {
  const others = {
    'another member': await registerMember(url, 'listener_1', '13700000008'),
    'a visitor': blackBoxClient(url),
  }
  const paths = Object.values(routes as Record<string, Route>).filter(
    ({ method, params }) => method === 'GET' && params === undefined,
  )
  for (const [who, other] of Object.entries(others)) {
    for (const { path } of paths) {
      const { text } = await other.get(`/api${path}`)
      search(`the answer to ${path} for ${who}`, Buffer.from(text), report)
    }
  }
}
