export { count, number } from '../../shared/numbers.ts'
