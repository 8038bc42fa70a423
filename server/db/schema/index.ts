export * from './market.ts'
export * from './migration.ts'
export * from './setting.ts'
