export * from './migration.ts'
export * from './setting.ts'
