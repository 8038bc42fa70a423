export { paths, welcomePaths } from '../contract/pagePaths.ts'
