/** The official client of the API. The build makes a file of its own of it, which the first request loads. */
export { OpenAI } from 'openai/client';
