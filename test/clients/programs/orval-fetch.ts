let baseUrl = '';
let authorization = '';

export const setStage = (url: string, apiKey: string): void => {
  baseUrl = url;
  authorization = `Bearer ${apiKey}`;
};

/** Sends each request of the generated client to the stage, with the API key. */
export const send = async <Response>(path: string, init: RequestInit): Promise<Response> => {
  const headers = new Headers(init.headers);
  headers.set('Authorization', authorization);
  const response = await fetch(`${baseUrl}${path}`, { ...init, headers });
  return { status: response.status, data: await response.json(), headers: response.headers } as Response;
};
