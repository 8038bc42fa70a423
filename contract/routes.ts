import { authRoutes } from './auth.ts'
import { contentRoutes } from './content.ts'
import { depositRoutes } from './deposits.ts'
import { fundRoutes } from './fund.ts'
import { ledgerRoutes } from './ledger.ts'
import { loginRoutes } from './logins.ts'
import { memberRoutes } from './member.ts'
import { orderRoutes } from './orders.ts'
import { priceAlertRoutes } from './priceAlerts.ts'
import { productRoutes } from './products.ts'
import { pushRoutes } from './push.ts'
import { resultRoutes } from './results.ts'
import { secondFactorRoutes } from './secondFactors.ts'
import { selfLimitRoutes } from './selfLimits.ts'
import { statementRoutes } from './statements.ts'
import { statusRoutes } from './status.ts'
import { uploadRoutes } from './uploads.ts'
import { venueRoutes } from './venueConfig.ts'
import { verificationRoutes } from './verification.ts'
import { withdrawalRoutes } from './withdrawals.ts'

/** The calls by noun, which OpenAPI uses as tags. */
export const routeGroups = {
  venue: { ...venueRoutes, ...statusRoutes },
  session: { ...authRoutes, ...loginRoutes, ...secondFactorRoutes },
  member: memberRoutes,
  ledger: { ...ledgerRoutes, ...statementRoutes },
  products: productRoutes,
  alerts: { ...priceAlertRoutes, ...pushRoutes },
  orders: { ...orderRoutes, ...resultRoutes },
  deposits: depositRoutes,
  withdrawals: withdrawalRoutes,
  uploads: uploadRoutes,
  verification: verificationRoutes,
  limits: selfLimitRoutes,
  fund: fundRoutes,
  content: contentRoutes,
}

/** Every API call. The client imports the nouns it needs; the venue and OpenAPI use the whole table. */
export const routes = {
  ...venueRoutes,
  ...statusRoutes,
  ...authRoutes,
  ...loginRoutes,
  ...secondFactorRoutes,
  ...memberRoutes,
  ...ledgerRoutes,
  ...statementRoutes,
  ...productRoutes,
  ...priceAlertRoutes,
  ...pushRoutes,
  ...orderRoutes,
  ...resultRoutes,
  ...depositRoutes,
  ...withdrawalRoutes,
  ...uploadRoutes,
  ...verificationRoutes,
  ...selfLimitRoutes,
  ...fundRoutes,
  ...contentRoutes,
}
