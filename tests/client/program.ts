/**
 * What a developer writes against the generated types. It is checked and run by `generatedClient.system.ts`, beside `api.ts`,
 * which is generated there from the description that a venue serves.
 */
import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './api.ts'

type Venue = Client<paths>
type Order = components['schemas']['Order']
type Withdrawal = components['schemas']['Withdrawal']

const password = 'correct horse 7'
const transactionPassword = '482913'

/** The answer of a call, or its error as an exception. */
function answerOf<T>({ data, error }: { data?: T; error?: { error: { code: string } } }): T {
  if (data === undefined) throw new Error(error?.error.code)
  return data
}

/** Opens an account and logs in. */
export async function register(url: string, openingCode: string): Promise<Venue> {
  const venue = createClient<paths>({ baseUrl: url })
  const account = 'generated'
  const { registerToken } = answerOf(
    await venue.POST('/api/auth/register/check', { body: { account, phone: '13812345678', openingCode } }),
  )
  answerOf(
    await venue.POST('/api/auth/register', {
      body: {
        registerToken,
        password,
        confirmPassword: password,
        transactionPassword,
        confirmTransactionPassword: transactionPassword,
      },
    }),
  )
  const login = await venue.POST('/api/auth/login', { body: { account, password } })
  const { token } = answerOf(login)
  const cookies = login.response.headers.getSetCookie().map((text) => text.split(';')[0] ?? '')
  venue.use({
    onRequest: ({ request }) => {
      request.headers.set('Cookie', cookies.join('; '))
      request.headers.set('X-CSRF-Token', token)
    },
  })
  return venue
}

/** Places an order with the terms that the venue states. */
export async function trade(venue: Venue): Promise<Order> {
  const { now } = answerOf(await venue.GET('/api/time'))
  const { items } = answerOf(await venue.GET('/api/products', { params: { query: { category: 'crypto' } } }))
  const id = items[0]?.id ?? ''
  const { durations } = answerOf(await venue.GET('/api/products/{id}', { params: { path: { id } } }))
  const { seconds, rateBp } = durations[0] ?? { seconds: 0, rateBp: 0 }
  const body = {
    productId: id,
    direction: 'up',
    amount: '10.00',
    seconds,
    rateBp,
    validUntil: now + 5000,
  } as const
  // @ts-expect-error -- the key is not optional
  const withoutKey = () => venue.POST('/api/orders', { body })
  void withoutKey
  return answerOf(
    await venue.POST('/api/orders', { body, params: { header: { 'Idempotency-Key': crypto.randomUUID() } } }),
  )
}

/** The order by its number, and the file that lists it. */
export async function result(venue: Venue, id: string): Promise<{ order: Order; csv: string }> {
  const order = answerOf(await venue.GET('/api/orders/{id}', { params: { path: { id } } }))
  const csv: string = answerOf(await venue.GET('/api/orders.csv', { parseAs: 'text' }))
  return { order, csv }
}

/** Submits what the desk must approve before the first withdrawal. */
export async function verify(venue: Venue, photo: Blob): Promise<void> {
  const upload = async (purpose: 'id_front' | 'id_back'): Promise<string> => {
    const { uploadId } = answerOf(
      await venue.POST('/api/uploads', {
        body: { file: 'photo.jpg', purpose },
        bodySerializer: () => {
          const form = new FormData()
          form.set('purpose', purpose)
          form.set('file', photo, 'photo.jpg')
          return form
        },
      }),
    )
    return uploadId
  }
  answerOf(
    await venue.POST('/api/verification', {
      body: {
        name: '王小明',
        idNumber: '110101199003074610',
        nationality: 'CN',
        frontUploadId: await upload('id_front'),
        backUploadId: await upload('id_back'),
      },
    }),
  )
  answerOf(
    await venue.POST('/api/withdrawal-account', {
      body: {
        type: 'bank',
        accountName: 'Wang Xiaoming',
        nationality: 'CN',
        bank: 'First Bank',
        cardNumber: '6222 0212 3456 7890',
        accountAddress: '77 Test Street, Shanghai',
        transactionPassword,
      },
    }),
  )
}

/** The code of an error, as the types list them, or the withdrawal. */
export async function withdraw(
  venue: Venue,
  amount: string,
): Promise<Withdrawal | 'not yet' | 'not enough' | 'failed'> {
  const { data, error } = await venue.POST('/api/withdrawals', {
    body: { amount, transactionPassword },
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
  })
  if (data) return data
  const { code } = error.error
  // @ts-expect-error -- an order returns this code, a withdrawal does not
  void (code === 'RATE_CHANGED')
  if (code === 'NOT_BOUND' || code === 'NOT_VERIFIED') return 'not yet'
  return code === 'INSUFFICIENT_BALANCE' ? 'not enough' : 'failed'
}
