import { firstBars } from '../../contract/constants.ts'
import { ledgerRoutes } from '../../contract/ledger.ts'
import { memberRoutes } from '../../contract/member.ts'
import { orderRoutes } from '../../contract/orders.ts'
import { productRoutes } from '../../contract/products.ts'
import { venueRoutes } from '../../contract/venueConfig.ts'
import { positionsQuery } from '../api/positionsQuery.ts'
import { productsQuery } from '../api/productsQuery.ts'
import { paths } from '../paths.ts'

const address = ({ path }: { path: string }): string => `/api${path}`

const config = address(venueRoutes.config)
const ofMember = [config, address(memberRoutes.me)]
const products = `${address(productRoutes.products)}?${new URLSearchParams(productsQuery)}`
const assets = address(ledgerRoutes.assets)
const product = address(productRoutes.product)
const positions = `${address(orderRoutes.orders)}?${new URLSearchParams(positionsQuery)}`

/**
 * What a member's page requests first, by its path, as the app's own requests spell it. `:id` is the page's own id.
 */
export const firstAnswers: Readonly<Record<string, readonly string[]>> = {
  [paths.home]: [...ofMember, assets, products],
  [paths.products]: [...ofMember, products],
  [paths.product]: [...ofMember, product, assets, positions],
  [paths.user]: [...ofMember, assets],
}

/** The first requests of a guest's page. Most guests follow a link to a product. */
export const guestAnswers: Readonly<Record<string, readonly string[]>> = {
  [paths.products]: [config, products],
  [paths.product]: [config, product],
}

/** The first bars of a product's chart, in the timeframe `:tf`. */
export const barsAnswer = `${address(productRoutes.candles)}?tf=:tf&limit=${firstBars}`

/** Those that contain the figures of a page's skeleton: see firstFigures.ts. */
export const figureAnswers: Readonly<Record<string, string>> = {
  [paths.home]: assets,
  [paths.product]: product,
}
