import * as z from 'zod/mini'
import { route, type Route } from '../route.ts'
import { id, listOf, pageQuery, plainInstant, productId, queryInstant } from '../schema.ts'
import { venueStatus } from '../venueConfig.ts'
import { listQuery } from './schema.ts'
import * as views from './views.ts'

/** `opensAt`: when maintenance ends automatically. */
const maintenanceBody = z.strictObject({ opensAt: z.optional(z.nullable(plainInstant)) })

const word = z.optional(z.string().check(z.maxLength(40)))

/** Which rows of the act log. */
const actLogFilters = {
  /** A part of a name, in any case. */
  actor: word,
  act: word,
  kind: word,
  /** A number, username or id, as it is pasted: of a request or order, with its proposals and proof, or of a member. */
  id: z.optional(id),
  /** A member's id or account. */
  member: z.optional(id),
  /** `without`: no rows of who looked at whom. */
  views: z.optional(z.enum(['without'])),
}

/** A business day of the venue's zone. */
const ofDay = z.strictObject({
  day: z.string({ error: 'REQUIRED' }).check(
    z.refine((day) => /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)), {
      error: 'INVALID',
    }),
  ),
})

/** What accepts orders, the business calendar, and the act log of the office. */
export const venueAdminRoutes = {
  site: {
    show: route({
      method: 'GET',
      path: '/site',
      summary: 'Show whether the site takes orders',
      status: 200,
      answer: venueStatus,
    }),
    maintenance: route({
      method: 'POST',
      path: '/site/maintenance',
      summary: 'Stop new orders of all products; prices, accepted orders and withdrawals continue',
      body: maintenanceBody,
      status: 200,
      answer: venueStatus,
    }),
    open: route({
      method: 'POST',
      path: '/site/open',
      summary: 'End the maintenance of the site',
      status: 200,
      answer: venueStatus,
    }),
  },
  products: {
    list: route({
      method: 'GET',
      path: '/products',
      summary: 'List products and the state of their feeds',
      query: listQuery,
      status: 200,
      answer: listOf(views.officeProduct),
    }),
    maintenance: route({
      method: 'POST',
      path: '/products/:id/maintenance',
      summary: 'Stop new orders of a product; its prices and accepted orders continue',
      params: z.object({ id: productId }),
      body: maintenanceBody,
      status: 200,
      answer: views.officeProduct,
    }),
    open: route({
      method: 'POST',
      path: '/products/:id/open',
      summary: 'End the maintenance of a product',
      params: z.object({ id: productId }),
      status: 200,
      answer: views.officeProduct,
    }),
  },
  audit: {
    list: route({
      method: 'GET',
      path: '/audit',
      summary: 'List what was done from the office, newest first',
      query: z.strictObject({
        ...pageQuery,
        ...actLogFilters,
        from: queryInstant,
        to: queryInstant,
      }),
      status: 200,
      /** The first page says how many rows of all pages are whose and what, the most first. */
      answer: z.extend(listOf(views.actLogEntry), {
        sums: z.optional(z.array(z.object({ actor: z.string(), act: z.string(), count: z.int() }))),
      }),
    }),
  },
  accounting: {
    actions: route({
      method: 'GET',
      path: '/accounting/actions',
      summary: 'What the staff did on a business day, all or some of it, as CSV; each export is recorded',
      query: z.extend(ofDay, actLogFilters),
      media: 'text/csv',
      status: 200,
      answer: null,
    }),
    movements: route({
      method: 'GET',
      path: '/accounting/movements',
      summary: 'Every posting of a business day with all its accounts, as CSV; each export is recorded',
      query: ofDay,
      media: 'text/csv',
      status: 200,
      answer: null,
    }),
  },
  clock: {
    show: route({
      method: 'GET',
      path: '/clock',
      summary: "Show the venue's clock and the business calendar",
      status: 200,
      answer: views.officeClock,
    }),
    advance: route({
      method: 'POST',
      path: '/clock/advance',
      summary: 'Move the business calendar forward (practice only); it cannot be moved back',
      body: z.strictObject({ ms: z.int().check(z.positive()) }),
      status: 200,
      answer: views.officeClock,
    }),
  },
} satisfies Record<string, Record<string, Route>>
