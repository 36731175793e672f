import { defineConfig } from '@playwright/test'

export default defineConfig({ testDir: '.', workers: 1, reporter: 'list', timeout: 30_000, forbidOnly: true })
