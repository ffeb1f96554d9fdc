import type { Json, JsonObject } from "../../../../contracts/json.ts";
import {
  configured,
  list,
  method,
  number,
  object,
  own,
  type Run,
  type SimulatedClass,
  text,
} from "./simulated.ts";

const defaults: JsonObject = {
  username: "john",
  password: "john123",
  authenticated: false,
  tweets: {},
  comments: {},
  retweets: {},
  following_list: ["alice", "bob"],
  tweet_counter: 0,
};

/** BFCL's `TwitterAPI`: posts, comments and followed users. */
export const postingApi: SimulatedClass = (config) => {
  const state = configured(config, defaults);
  const tweets = () => object(state["tweets"]);
  const followed = () => list(state["following_list"]);
  const user = () => text(state["username"]);
  const isBy = (tweet: Json, name: Json | undefined) => object(tweet)["username"] === name;
  const missing = (id: Json | undefined) => ({ error: `Tweet with ID ${id} not found.` });
  const whenIn = (names: readonly string[], doing: string, run: Run, defaults: JsonObject = {}) =>
    method(names, defaults, (args) =>
      state["authenticated"]
        ? run(args)
        : { error: `User not authenticated. Please authenticate before ${doing}.` },
    );
  const byTweet =
    (run: (tweet: JsonObject, args: JsonObject) => Json): Run =>
    (args) => {
      // Ids are whole numbers; a text is not an id.
      const id = args["tweet_id"];
      const tweet = typeof id === "number" ? own(tweets(), id) : undefined;
      return tweet === undefined ? missing(id) : run(object(tweet), args);
    };
  const ofTweet = (names: readonly string[], run: Parameters<typeof byTweet>[0]) =>
    method(["tweet_id", ...names], {}, byTweet(run));
  const within = (name: string, key: string): Json[] => {
    const lists = object(state[name]);
    if (!Object.hasOwn(lists, key)) lists[key] = [];
    return list(lists[key]);
  };
  return {
    state,
    methods: {
      authenticate_twitter: method(["username", "password"], {}, ({ username, password }) => {
        const isRight = username === state["username"] && password === state["password"];
        if (isRight) state["authenticated"] = true;
        return { authentication_status: isRight };
      }),
      posting_get_login_status: method([], {}, () => ({
        login_status: Boolean(state["authenticated"]),
      })),
      post_tweet: whenIn(
        ["content"],
        "posting",
        ({ content = null, tags, mentions }) => {
          const id = number(state["tweet_counter"]);
          const lists = { tags: [...list(tags)], mentions: [...list(mentions)] };
          const tweet: JsonObject = { id, username: user(), content, ...lists };
          tweets()[id] = tweet;
          state["tweet_counter"] = id + 1;
          return tweet;
        },
        { tags: [], mentions: [] },
      ),
      retweet: whenIn(
        ["tweet_id"],
        "retweeting",
        byTweet((_, { tweet_id: id = null }) => {
          const own = within("retweets", user());
          if (own.includes(id)) return { retweet_status: "Already retweeted" };
          own.push(id);
          return { retweet_status: "Successfully retweeted" };
        }),
      ),
      comment: whenIn(
        ["tweet_id", "comment_content"],
        "commenting",
        byTweet((_, { tweet_id: id, comment_content: content = null }) => {
          within("comments", String(id)).push({ username: user(), content });
          return { comment_status: "Comment added successfully" };
        }),
      ),
      mention: ofTweet(["mentioned_usernames"], (tweet, { mentioned_usernames: names }) => {
        list(tweet["mentions"]).push(...list(names));
        return { mention_status: "Users mentioned successfully" };
      }),
      follow_user: whenIn(
        ["username_to_follow"],
        "following",
        ({ username_to_follow: name = null }) => {
          const isNew = !followed().includes(name);
          if (isNew) followed().push(name);
          return { follow_status: isNew };
        },
      ),
      list_all_following: whenIn([], "listing following", () => ({ following_list: followed() })),
      unfollow_user: whenIn(
        ["username_to_unfollow"],
        "unfollowing",
        ({ username_to_unfollow: name = null }) => {
          const at = followed().indexOf(name);
          if (at >= 0) followed().splice(at, 1);
          return { unfollow_status: at >= 0 };
        },
      ),
      get_tweet: ofTweet([], (tweet) => tweet),
      get_user_tweets: method(["username"], {}, ({ username }) =>
        Object.values(tweets()).filter((tweet) => isBy(tweet, username)),
      ),
      search_tweets: method(["keyword"], {}, ({ keyword }) => {
        const wanted = text(keyword).toLowerCase();
        return Object.values(tweets()).filter((given) => {
          const { content, tags } = object(given);
          const isTagged = list(tags).some((tag) => text(tag).toLowerCase() === wanted);
          return text(content).toLowerCase().includes(wanted) || isTagged;
        });
      }),
      get_tweet_comments: ofTweet([], (_, { tweet_id: id }) => {
        const all = own(object(state["comments"]), id);
        return all === undefined ? [] : list(all);
      }),
      get_user_stats: method(["username"], {}, ({ username: name }) => {
        const retweets = own(object(state["retweets"]), name);
        return {
          tweet_count: Object.values(tweets()).filter((tweet) => isBy(tweet, name)).length,
          following_count: name === state["username"] ? followed().length : 0,
          retweet_count: retweets === undefined ? 0 : list(retweets).length,
        };
      }),
    },
  };
};
