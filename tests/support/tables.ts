/** The tables of all areas. */
export * from '../../server/platform/db/schema.ts'
export * from '../../server/market/schema.ts'
export * from '../../server/notices/schema.ts'
export * from '../../server/money/schema.ts'
export * from '../../server/trading/schema.ts'
export * from '../../server/members/schema.ts'
export * from '../../server/office/schema.ts'
