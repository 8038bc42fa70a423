import * as z from 'zod/mini'
import { languages } from './constants.ts'
import { route } from './route.ts'
import { id, instant, listOf, pageQuery, queryInstant, text } from './schema.ts'

const lang = z.optional(z.enum(languages))

/** An article in the requested language, or in the fallback named by `lang` if a translation is missing. */
export const article = z.object({
  id,
  title: z.string(),
  body: z.string(),
  lang: z.enum(languages),
  publishedAt: instant,
  version: z.int(),
})
export type Article = z.infer<typeof article>

export const pageSlugs = ['about', 'privacy', 'privacy-2', 'fund-rules', 'risk'] as const
export type PageSlug = (typeof pageSlugs)[number]
export const isPageSlug = (text: string): text is PageSlug => (pageSlugs as readonly string[]).includes(text)

export const messageCategories = ['trade', 'money', 'fund', 'account', 'notice'] as const
export type MessageCategory = (typeof messageCategories)[number]
/** Categories that a member can mute. Messages about the account and its security cannot be. */
export const mutableCategories = ['trade', 'money', 'fund', 'notice'] as const
export type MutableCategory = (typeof mutableCategories)[number]

/**
 * Messages that the venue sends by itself, with the parameters of their texts. Texts are in the language packs under
 * these keys; `desk` is a message written by customer service, with its own title, body and language.
 */
export const messageKeys = {
  welcome: { category: 'account', params: [] },
  orderSettled: { category: 'trade', params: ['no', 'productId', 'status', 'pnl'] },
  orderRefunded: { category: 'trade', params: ['no', 'productId', 'amount', 'reason'] },
  priceAlert: { category: 'notice', params: ['productId', 'condition', 'price'] },
  depositSuccessful: { category: 'money', params: ['no', 'amount'] },
  depositFailed: { category: 'money', params: ['no', 'amount', 'reason'] },
  depositReversed: { category: 'money', params: ['no', 'amount', 'reversed', 'reason'] },
  withdrawalSuccessful: { category: 'money', params: ['no', 'amount'] },
  withdrawalFailed: { category: 'money', params: ['no', 'amount', 'reason'] },
  withdrawalAccountBound: { category: 'account', params: [] },
  withdrawalAccountUnbound: { category: 'account', params: [] },
  verificationSuccessful: { category: 'account', params: [] },
  verificationFailed: { category: 'account', params: ['reason'] },
  loginPasswordChanged: { category: 'account', params: [] },
  contactAddressChanged: { category: 'account', params: [] },
  transactionPasswordChanged: { category: 'account', params: [] },
  loginNewDevice: { category: 'account', params: ['device'] },
  passwordRecoveryAsked: { category: 'account', params: ['kind'] },
  passkeyAdded: { category: 'account', params: ['name'] },
  passkeyRemoved: { category: 'account', params: ['name'] },
  totpAdded: { category: 'account', params: [] },
  totpRemoved: { category: 'account', params: [] },
  recoveryCodesReplaced: { category: 'account', params: [] },
  recoveryCodeUsed: { category: 'account', params: ['left'] },
  passwordRequestFailed: { category: 'account', params: ['kind', 'reason'] },
  accountFrozen: { category: 'account', params: ['reason', 'until'] },
  accountUnfrozen: { category: 'account', params: [] },
  fundConfirmed: { category: 'fund', params: ['amount'] },
  fundPaid: { category: 'fund', params: ['amount'] },
  serviceReply: { category: 'notice', params: [] },
  desk: { category: 'notice', params: [] },
} as const satisfies Record<string, { category: MessageCategory; params: readonly string[] }>
export type MessageKey = keyof typeof messageKeys
/**
 * The key of a row that groups the results of one hour, in a list with `results=grouped`. Its parameters: `count`
 * messages, of them `unread`, the sum of their `pnl`, and the hour from `from` to `to`, exclusive. It is read if all of
 * them are; `at` is the newest one's.
 */
export const resultGroupKey = 'resultsOfHour'
/** The parameters of the text of a key. */
export type MessageParams<K extends MessageKey> = Record<(typeof messageKeys)[K]['params'][number], string>

export const message = z.object({
  id,
  category: z.enum(messageCategories),
  key: z.string(),
  params: z.record(z.string(), z.unknown()),
  title: z.nullable(z.string()),
  body: z.nullable(z.string()),
  lang: z.nullable(z.enum(languages)),
  at: instant,
  read: z.boolean(),
  link: z.nullable(z.string()),
})
export type Message = z.infer<typeof message>

export const serviceMessage = z.object({
  id,
  from: z.enum(['member', 'desk']),
  body: z.string(),
  uploadId: z.nullable(id),
  at: instant,
  read: z.boolean(),
})
export type ServiceMessage = z.infer<typeof serviceMessage>

/** What a member has muted: messages of these categories arrive as read. */
export const messageMutes = z.object({ muted: z.array(z.enum(mutableCategories)) })
export type MessageMutes = z.infer<typeof messageMutes>

const articleQuery = z.strictObject({ ...pageQuery, lang })
const messagesQuery = z.strictObject({
  ...pageQuery,
  lang,
  category: z.optional(z.enum(messageCategories)),
  /** `grouped`: results of orders as one row per hour. */
  results: z.optional(z.literal('grouped')),
  /** Both inclusive. */
  from: queryInstant,
  to: queryInstant,
})
export type MessagesFilter = Pick<z.infer<typeof messagesQuery>, 'category' | 'results' | 'from' | 'to'>
const languageQuery = z.strictObject({ lang })
const withId = z.object({ id })

export const contentRoutes = {
  news: route({
    method: 'GET',
    path: '/news',
    summary: 'News',
    query: articleQuery,
    status: 200,
    answer: listOf(article),
  }),
  newsItem: route({
    method: 'GET',
    path: '/news/:id',
    summary: 'One news item',
    params: withId,
    query: languageQuery,
    status: 200,
    answer: article,
  }),
  highlights: route({
    method: 'GET',
    path: '/highlights',
    summary: 'Platform highlights',
    query: articleQuery,
    status: 200,
    answer: listOf(article),
  }),
  highlight: route({
    method: 'GET',
    path: '/highlights/:id',
    summary: 'One highlight',
    params: withId,
    query: languageQuery,
    status: 200,
    answer: article,
  }),
  page: route({
    method: 'GET',
    path: '/pages/:slug',
    summary: 'A static page',
    params: z.object({ slug: id }),
    query: languageQuery,
    status: 200,
    answer: article,
  }),
  messages: route({
    method: 'GET',
    path: '/messages',
    summary:
      'System messages, of one category or all; with `results=grouped` the results of each hour are one row, `resultsOfHour`',
    member: true,
    query: messagesQuery,
    status: 200,
    answer: listOf(message),
  }),
  messageMutes: route({
    method: 'GET',
    path: '/messages/mutes',
    summary: 'The categories whose messages arrive as read',
    member: true,
    status: 200,
    answer: messageMutes,
  }),
  putMessageMutes: route({
    method: 'PUT',
    path: '/messages/mutes',
    summary:
      'Mute categories: what is unread of them is read, and later messages arrive as read, replies of customer service aside',
    member: true,
    body: z.strictObject({
      muted: z.array(z.enum(mutableCategories)).check(z.maxLength(mutableCategories.length)),
    }),
    status: 200,
    answer: messageMutes,
  }),
  readMessages: route({
    method: 'POST',
    path: '/messages/read',
    summary: 'Mark messages read',
    member: true,
    body: z.union([
      z.strictObject({ ids: z.array(id).check(z.minLength(1), z.maxLength(100)) }),
      z.strictObject({ all: z.literal(true) }),
    ]),
    status: 204,
    answer: null,
  }),
  service: route({
    method: 'GET',
    path: '/service/messages',
    summary: 'The thread with customer service',
    member: true,
    query: z.strictObject(pageQuery),
    status: 200,
    answer: listOf(serviceMessage),
  }),
  writeService: route({
    method: 'POST',
    path: '/service/messages',
    summary: 'Write to customer service',
    member: true,
    body: z.strictObject({ body: text(4000), uploadId: z.optional(id) }),
    status: 201,
    answer: serviceMessage,
  }),
  reportClientError: route({
    method: 'POST',
    path: '/client-errors',
    summary: 'Report a resource that failed to load',
    body: z.strictObject({
      kind: z.enum(['timeout', 'missing', 'other']),
      resource: text(300),
      build: text(64),
    }),
    status: 204,
    answer: null,
  }),
}
