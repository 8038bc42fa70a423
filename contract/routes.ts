import { contentRoutes } from './content.ts'
import { fundRoutes } from './fund.ts'
import { orderRoutes } from './orders.ts'
import { productRoutes } from './products.ts'
import { sessionRoutes } from './session.ts'
import { walletRoutes } from './wallet.ts'

/** Every call of the venue. The client imports the nouns it needs; the venue and OpenAPI take the whole table. */
export const routes = {
  ...sessionRoutes,
  ...productRoutes,
  ...orderRoutes,
  ...walletRoutes,
  ...fundRoutes,
  ...contentRoutes,
}
