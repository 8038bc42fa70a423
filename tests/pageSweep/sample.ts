import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import type { Order } from '../../contract/orders.ts'
import type { Product, ProductDetail } from '../../contract/products.ts'
import type { Deposit, DepositMethod } from '../../contract/deposits.ts'
import type { Withdrawal } from '../../contract/withdrawals.ts'
import { dayMs } from '../../contract/time.ts'
import { newMember } from '../e2e/member.ts'
import type { AveragedIds } from './stops.ts'
import { openApiClient, openingCode, type ApiClient } from './apiClient.ts'

/** What a sweep needs to open every page with content. */
export type Sample = {
  client: ApiClient
  openOrder: string
  closedOrder: string
  /** The same by rule R2; undefined if the venue has no product of that rule. */
  averaged: AveragedIds | undefined
  deposit: string
  withdrawal: string
  news: string
  highlight: string
  /** Step 1 of a registration, as the browser stores it for step 2. */
  registerInfo: unknown
}

export type SampleOptions = {
  /** Moves the venue's business calendar, so that the fund has confirmed shares and earnings. Only for an own venue. */
  ownVenue: boolean
}

const usualProduct = 'BTCUSDT'

type PublishedList = { items: { id: string }[] }

/** A member with data of every kind: open and closed orders, deposits, withdrawals, fund lots, messages. */
export async function createSample(
  origin: string,
  deskKey: string,
  { ownVenue }: SampleOptions,
): Promise<Sample> {
  const client = await openApiClient(origin, deskKey)
  const closing = await placeOrders(client)
  const averaged = await placeAveraged(client)
  await client.send('PATCH', '/me', {
    nickname: 'Morgenstern',
    contactEmail: 'member@example.com',
    password: client.member.password,
  })
  await client.office('POST', `/members/${client.member.account}/level`, { level: 4 })
  const deposit = await fillWallet(client)
  await fillFund(client, ownVenue)
  const withdrawal = await withdraw(client)
  await sendMessages(client)
  const news = await client.get<PublishedList>('/news?limit=1&lang=en')
  const highlights = await client.get<PublishedList>('/highlights?limit=1&lang=en')
  const closedOrder = await waitUntilSettled(client, closing)
  if (averaged !== undefined) await waitUntilSettled(client, averaged.closedOrder)
  const sample: Sample = {
    client,
    openOrder: '',
    closedOrder,
    averaged,
    deposit,
    withdrawal,
    news: firstId(news),
    highlight: firstId(highlights),
    registerInfo: await startRegistration(client),
  }
  return withOpenOrders(sample)
}

const firstId = ({ items }: PublishedList): string => {
  const [first] = items
  if (!first) throw new Error('nothing is published')
  return first.id
}

/** An order that settles soon, on the first product whose rule is R2. */
async function placeAveraged(client: ApiClient): Promise<AveragedIds | undefined> {
  for (const { id } of (await client.get<{ items: Product[] }>('/products')).items) {
    const { rule } = await client.get<ProductDetail>(`/products/${id}`)
    if (rule !== 'R2') continue
    return { product: id, openOrder: '', closedOrder: await place(client, id, '75.00', 'shortest') }
  }
  return undefined
}

async function place(
  client: ApiClient,
  productId: string,
  amount: string,
  which: 'shortest' | 'longest',
): Promise<string> {
  const product = await client.get<ProductDetail>(`/products/${productId}`)
  const ordered = product.durations.toSorted((a, b) => a.seconds - b.seconds)
  const duration = which === 'shortest' ? ordered[0] : ordered.at(-1)
  if (!duration) throw new Error(`${productId} has no duration`)
  const { now } = await client.get<{ now: number }>('/time')
  const { id } = await client.send<Order>('POST', '/orders', {
    productId,
    direction: which === 'shortest' ? 'up' : 'down',
    amount,
    seconds: duration.seconds,
    rateBp: duration.rateBp,
    validUntil: now + 20_000,
  })
  return id
}

/** Two orders that settle soon, possibly one won and one lost. */
async function placeOrders(client: ApiClient): Promise<string> {
  const closing = await place(client, usualProduct, '1000.00', 'shortest')
  await place(client, usualProduct, '25.50', 'shortest')
  return closing
}

/** The sample with orders that stay open for a while. */
export async function withOpenOrders(sample: Sample): Promise<Sample> {
  const { client, averaged } = sample
  return {
    ...sample,
    openOrder: await openOrder(client, usualProduct),
    averaged: averaged && { ...averaged, openOrder: await openOrder(client, averaged.product) },
  }
}

/** An order that stays open for a while: one of the member's, or a new one. */
async function openOrder(client: ApiClient, productId: string): Promise<string> {
  const open = await client.get<{ items: Order[] }>('/orders?tab=positions')
  const lasting = open.items.find(
    (order) => order.productId === productId && order.closeAt > Date.now() + 40_000,
  )
  return lasting?.id ?? place(client, productId, '125.00', 'longest')
}

/**
 * Places two orders of the product whose page is open and waits until one has ended, so that the page shows how, beside the
 * other one. Without it a sweep looks at this only if an order happens to end at the right moment.
 * @returns whether the other one still runs: what was looked at is what was meant
 */
export async function endOrderBeside({ client }: Sample): Promise<() => Promise<boolean>> {
  const running = await place(client, usualProduct, '125.00', 'longest')
  await waitUntilSettled(client, await place(client, usualProduct, '25.50', 'shortest'))
  return async () => (await client.get<Order>(`/orders/${running}`)).settledAt === null
}

async function waitUntilSettled(client: ApiClient, id: string): Promise<string> {
  for (;;) {
    const { settledAt } = await client.get<Order>(`/orders/${id}`)
    if (settledAt !== null) return id
    await pause(200)
  }
}

/** Deposits money, binds an account and verifies the name. */
async function fillWallet(client: ApiClient): Promise<string> {
  const [method] = await client.get<DepositMethod[]>('/deposit-methods')
  if (!method) throw new Error('there is no deposit method')
  const { id } = await client.send<Deposit>('POST', '/deposits', {
    methodId: method.id,
    amount: '12500.00',
  })
  await client.send('POST', '/withdrawal-account', {
    type: 'bank',
    accountName: 'Alexandra Morgenstern',
    nationality: 'DE',
    bank: 'China Merchants Bank',
    cardNumber: '6214 8501 2204 4821',
    accountAddress: 'Shenzhen Nanshan',
    transactionPassword: client.member.transactionPassword,
  })
  const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#9ab' } })
    .jpeg()
    .toBuffer()
  await client.send('POST', '/verification', {
    name: '林伟',
    idNumber: '44030119900312451X',
    nationality: 'CN',
    frontUploadId: await client.upload('id_front', photo),
    backUploadId: await client.upload('id_back', photo),
  })
  const { items } = await client.office<{ items: { id: string; memberId: string }[] }>(
    'GET',
    '/verifications?status=under_review&limit=100',
  )
  const own = items.find(({ memberId }) => memberId === client.user.id)
  await client.office('POST', `/verifications/${own?.id}/approve`)
  return id
}

async function fillFund(client: ApiClient, ownVenue: boolean): Promise<void> {
  await client.send('POST', '/fund/deposits', { amount: '3000.00' })
  if (!ownVenue) return
  for (let day = 0; day < 6; day++) await client.office('POST', '/clock/advance', { ms: dayMs })
  await client.send('POST', '/fund/withdrawals', {
    amount: '120.00',
    mode: 'fast',
    transactionPassword: client.member.transactionPassword,
  })
  await client.send('POST', '/fund/deposits', { amount: '850.00' })
}

/** Rejects one withdrawal, cancels one, and leaves one under review, whose id it returns. */
async function withdraw(client: ApiClient): Promise<string> {
  const request = (amount: string) =>
    client.send<Withdrawal>('POST', '/withdrawals', {
      amount,
      transactionPassword: client.member.transactionPassword,
    })
  const rejected = await request('40.00')
  await client.office('POST', `/withdrawals/${rejected.id}/reject`, {
    reason: 'The account name differs',
  })
  const cancelled = await request('60.00')
  await client.send('POST', `/withdrawals/${cancelled.id}/cancel`, {})
  return (await request('1250.75')).id
}

async function sendMessages(client: ApiClient): Promise<void> {
  const { account } = client.member
  const message = { to: account, title: 'Holiday', body: 'The market is **closed** on Friday.', lang: 'en' }
  await client.office('POST', '/messages', message)
  await client.send('POST', '/service/messages', { body: 'Where is my deposit?' })
  await client.office('POST', `/service/${account}`, {
    body: 'It’s been credited. Your balance now includes it.',
  })
}

/** Step 1 of a registration with the venue's answer, for the page of step 2. */
async function startRegistration(client: ApiClient): Promise<unknown> {
  const { account, phone } = newMember()
  const step1 = { account, phone, openingCode }
  return { ...step1, ...(await client.send<object>('POST', '/auth/register/check', step1)) }
}
