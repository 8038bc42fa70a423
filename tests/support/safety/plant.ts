import sharp from 'sharp'
import type { Stranger } from '../stranger.ts'
import { newcomer, password, stranger } from '../stranger.ts'

export type PlantVenue = { url: string; deskKey: string }
/** What a venue took: where each text must be seen again, and how much was written. */
export type Planted = {
  account: string
  member: Stranger
  memberId: string
  calls: number
  /** Answers of 5xx. */
  faults: string[]
  /** Texts that were taken, by where a page shows them. */
  taken: Record<'service' | 'message' | 'reason' | 'news', string[]>
}
type Desk = (path: string, body?: unknown) => Promise<{ status: number; text: string }>

const upload = async (venue: PlantVenue, member: Stranger, purpose: string): Promise<string> => {
  const pixels = { width: 16, height: 16, channels: 3, background: '#9ab' } as const
  const form = new FormData()
  form.set('purpose', purpose)
  form.set('file', new Blob([new Uint8Array(await sharp({ create: pixels }).png().toBuffer())]), 'a.png')
  const { cookie, token } = member.session
  const headers = { cookie, 'x-csrf-token': token }
  const answer = await fetch(`${venue.url}/api/uploads`, { method: 'POST', body: form, headers })
  return ((await answer.json()) as { uploadId: string }).uploadId
}

/** Puts each text into every field that the venue takes: of a visitor, of a new member, and of the desk. */
export async function plant(
  venue: PlantVenue,
  account: string,
  phone: string,
  texts: readonly string[],
): Promise<Planted> {
  const member = await newcomer(venue.url, account, phone)
  const { body: me } = await member.get<{ id: string }>('/api/me')
  const planted: Planted = {
    account,
    member,
    memberId: me.id,
    calls: 0,
    faults: [],
    taken: { service: [], message: [], reason: [], news: [] },
  }
  const note = (path: string, status: number): void => {
    planted.calls += 1
    if (status >= 500) planted.faults.push(`${path}: ${status}`)
  }
  const desk: Desk = async (path, body) => {
    const headers = { authorization: `Bearer ${venue.deskKey}`, 'content-type': 'application/json' }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`${venue.url}/desk${path}`, init)
    note(`/desk${path}`, answer.status)
    return { status: answer.status, text: await answer.text() }
  }
  for (const text of texts) {
    await asVisitor(stranger(venue.url), text, note)
    await asMember(member, text, planted, note)
    await asDesk(desk, text, planted)
    await rejected(venue, desk, text, planted)
  }
  return planted
}

type Note = (path: string, status: number) => void

async function asVisitor(visitor: Stranger, text: string, note: Note): Promise<void> {
  const good = { account: 'planted_1', phone: '13700000000', openingCode: 'UPTICK' }
  const passwords = { password, confirmPassword: password, transactionPassword: '135791' }
  const post = async (path: string, body: object): Promise<void> =>
    note(path, (await visitor.call('POST', path, { body })).status)
  for (const field of Object.keys(good)) await post('/api/auth/register/check', { ...good, [field]: text })
  const register = { registerToken: text, ...passwords, confirmTransactionPassword: '135791' }
  await post('/api/auth/register', register)
  await post('/api/auth/login', { account: text, password: text })
  await post('/api/auth/login', { account: 'nobody_1', password: text, captchaId: text, captcha: '1234' })
  await post('/api/client-errors', { kind: 'other', resource: text, build: text.slice(0, 64) })
  const query = encodeURIComponent(text)
  for (const path of [
    `/api/products?q=${query}`,
    `/api/products?category=${query}`,
    `/api/products/${query}`,
    `/api/products/${query}/candles?tf=1m`,
    `/api/news?cursor=${query}`,
    `/api/news/${query}`,
    `/api/highlights/${query}?lang=${query}`,
    `/api/pages/${query}`,
  ]) {
    note(path, (await visitor.get(path)).status)
  }
}

async function asMember(member: Stranger, text: string, planted: Planted, note: Note): Promise<void> {
  const send = async (method: string, path: string, body: object): Promise<number> => {
    const { status } = await member.call(method, path, { body, key: crypto.randomUUID() })
    note(path, status)
    return status
  }
  await send('PATCH', '/api/me', { nickname: text })
  await send('PATCH', '/api/me', { contactEmail: text })
  if ((await send('POST', '/api/service/messages', { body: text })) === 201) planted.taken.service.push(text)
  await send('POST', '/api/messages/read', { ids: [text.slice(0, 64)] })
  await send('POST', '/api/deposits', { methodId: text.slice(0, 64), amount: '10.00' })
  await send('POST', '/api/deposits', { methodId: 'practice', amount: text, proofUploadId: text })
  await send('POST', '/api/withdrawals', { amount: '10.00', accountId: text, transactionPassword: text })
  await send('POST', '/api/fund/withdrawals', { amount: '10.00', mode: 'fast', transactionPassword: text })
  const order = { productId: text, direction: 'up', amount: '10.00', seconds: 5, rateBp: 1, validUntil: 1 }
  await send('POST', '/api/orders', order)
  const passwords = { oldPassword: password, newPassword: text, confirmPassword: text }
  await send('POST', '/api/auth/password-requests', { kind: 'login', ...passwords, oldPassword: text })
  const person = { nationality: 'SG', frontUploadId: text, backUploadId: text }
  await send('POST', '/api/verification', { name: text, idNumber: text, ...person })
  await send('PUT', '/api/me/limits', {
    maxStake: text,
    maxDailyLoss: null,
    maxDailyDeposit: null,
    excludedUntil: null,
  })
  const query = encodeURIComponent(text)
  for (const path of [
    `/api/orders?productId=${query}&tab=${query}`,
    `/api/orders/by-key/${query}`,
    `/api/orders/${query}/proof`,
    `/api/me/ledger?type=${query}`,
    `/api/uploads/${query}`,
    `/api/messages?cursor=${query}`,
    `/api/fund/earnings?month=${query}`,
  ]) {
    note(path, (await member.get(path)).status)
  }
}

async function asDesk(desk: Desk, text: string, { account, taken }: Planted): Promise<void> {
  const title = text.replaceAll(/[\n\r]/g, ' ')
  const article = (name: string) => `---\nlang: ${name}\ntitle: ${title}\n---\n${text}\n`
  if ((await desk('/messages', { to: account, title: text, body: text, lang: 'en' })).status === 201) {
    taken.message.push(text)
  }
  await desk('/messages', { to: text.slice(0, 64), title: 'T', body: 'B', link: text.slice(0, 200) })
  await desk(`/service/${account}`, { body: text })
  const published = await desk('/news', { file: article('en') })
  if (published.status === 201) taken.news.push((JSON.parse(published.text) as { title: string }).title)
  await desk('/highlights', { file: article('en') })
  await desk(`/news`, { file: text })
  const query = encodeURIComponent(text)
  await desk(`/members?account=${query}`)
  await desk(`/members/${query}`)
  await desk(`/audit?id=${query}&kind=${query}`)
  await desk(`/products/${query}/maintenance`, {})
}

/** A verification with this text as the reason why it was rejected, and an account that names it. */
async function rejected(venue: PlantVenue, desk: Desk, text: string, planted: Planted): Promise<void> {
  const { member, memberId, taken } = planted
  const person = {
    name: 'Ann Lee',
    idNumber: 'S1234567',
    nationality: 'SG',
    frontUploadId: await upload(venue, member, 'id_front'),
    backUploadId: await upload(venue, member, 'id_back'),
  }
  await member.call('POST', '/api/verification', { body: person })
  if ((await desk(`/verifications/${memberId}/reject`, { reason: text })).status === 200)
    taken.reason.push(text)
  await bindNamed(member, text)
  await desk(`/withdrawal-accounts/${memberId}/unbind`, {})
}

/** Binds an account that has this text in each field where one may stand; what the venue says to it. */
export async function bindNamed(member: Stranger, text: string): Promise<number> {
  const body = {
    type: 'bank',
    accountName: text,
    nationality: 'CN',
    bank: text,
    cardNumber: '6222021234567890',
    accountAddress: text,
  }
  return (await member.call('POST', '/api/withdrawal-account', { body })).status
}
