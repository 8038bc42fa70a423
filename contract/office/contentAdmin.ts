import * as z from 'zod/mini'
import { languages } from '../constants.ts'
import { article, serviceMessage } from '../content.ts'
import { isPageAddress } from '../pagePaths.ts'
import { route, type Route } from '../route.ts'
import { id, line, listOf, plainInstant, queryInt, text, visibleLine, visibleText } from '../schema.ts'
import { uploadRoutes } from '../uploads.ts'
import { listQuery, withId } from './schema.ts'
import * as views from './views.ts'

/** A Markdown file of 20,000 characters with its front matter. */
const publishFile = z.strictObject({ file: z.string().check(z.minLength(1), z.maxLength(24_000)) })

/** One publish of a news item, highlight or standing page. `author` is null if it came with the build. */
const contentVersion = z.object({
  version: z.int(),
  at: plainInstant,
  author: z.nullable(z.string()),
  /** The languages whose text it changed. */
  changed: z.array(z.enum(languages)),
})
export type ContentVersion = z.infer<typeof contentVersion>

const contentVersionText = z.object({
  lang: z.enum(languages),
  title: z.string(),
  body: z.string(),
  changedAt: plainInstant,
})
export type ContentVersionText = z.infer<typeof contentVersionText>

const withVersion = z.object({ id, version: queryInt(1, 1_000_000) })

const publishedRoutes = <const P extends '/news' | '/highlights' | '/pages'>(
  path: P,
  thing: string,
  names: string,
) => ({
  publish: route({
    method: 'POST',
    path,
    summary: `Publish ${thing} from a Markdown file with front matter (${names})`,
    body: publishFile,
    status: 201,
    answer: article,
  }),
  versions: route({
    method: 'GET',
    path: `${path}/:id/versions`,
    summary: `List what was published of ${thing}, newest first`,
    params: withId,
    query: listQuery,
    status: 200,
    answer: listOf(contentVersion),
  }),
  version: route({
    method: 'GET',
    path: `${path}/:id/versions/:version`,
    summary: `Show one version of ${thing} in all its languages`,
    params: withVersion,
    status: 200,
    answer: z.extend(contentVersion, { texts: z.array(contentVersionText) }),
  }),
  republish: route({
    method: 'POST',
    path: `${path}/:id/versions/:version/publish`,
    summary: `Publish an earlier version of ${thing} again, as its next version`,
    params: withVersion,
    status: 201,
    answer: contentVersion,
  }),
})

/** What the office publishes to everybody or sends to one member. */
export const contentAdminRoutes = {
  news: publishedRoutes('/news', 'a news item', 'lang, title, id'),
  highlights: publishedRoutes('/highlights', 'a highlight', 'lang, title, id'),
  pages: publishedRoutes('/pages', 'a standing page', 'id, lang, title'),
  messages: {
    send: route({
      method: 'POST',
      path: '/messages',
      summary: 'Send a system message to a member, or to all',
      body: z.strictObject({
        to: id,
        title: visibleLine(200),
        body: visibleText(4000),
        lang: z.optional(z.enum(languages)),
        link: z.optional(
          line(200).check(
            z.regex(/^pages\/[\w/?=&.-]+$/, { error: 'INVALID' }),
            z.refine((link) => isPageAddress(`/${link}`), { error: 'INVALID' }),
          ),
        ),
      }),
      status: 201,
      answer: z.object({ sent: z.int() }),
    }),
  },
  service: {
    list: route({
      method: 'GET',
      path: '/service',
      summary: 'List threads with members, the one with the newest message first',
      query: listQuery,
      status: 200,
      answer: listOf(views.serviceThread),
    }),
    show: route({
      method: 'GET',
      path: '/service/:id',
      summary: "Show a member's thread, newest first",
      params: withId,
      query: listQuery,
      status: 200,
      /** The first page says whose thread it is. */
      answer: z.extend(listOf(serviceMessage), {
        member: z.optional(z.object({ account: z.string(), language: z.nullable(z.enum(languages)) })),
      }),
    }),
    done: route({
      method: 'POST',
      path: '/service/:id/done',
      summary: 'Close a thread without a reply: the messages of the member are marked as read',
      params: withId,
      status: 200,
      answer: z.object({ read: z.int() }),
    }),
    reopen: route({
      method: 'POST',
      path: '/service/:id/reopen',
      summary: 'Put a thread that was ended without a reply back into its queue',
      params: withId,
      status: 200,
      answer: z.object({ unread: z.int() }),
    }),
    reply: route({
      method: 'POST',
      path: '/service/:id',
      summary: 'Reply to a member, with a text, a picture or both',
      params: withId,
      body: z.strictObject({ body: text(4000), uploadId: z.optional(id) }),
      status: 201,
      answer: serviceMessage,
    }),
    picture: route({
      method: 'POST',
      path: '/service/:id/uploads',
      summary: 'Send a picture for your next reply to a member (multipart: one file, `purpose` service)',
      params: withId,
      form: z.object({ file: z.file(), purpose: z.literal('service') }),
      status: 201,
      answer: uploadRoutes.upload.answer,
    }),
  },
} satisfies Record<string, Record<string, Route>>
